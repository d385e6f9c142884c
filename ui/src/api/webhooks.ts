/**
 * Webhooks: the state of their deliveries, the events that a receiver refused, and the secrets that sign deliveries.
 */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import { list } from "./list.ts";
import type { EventConsumers, WebhookSecret } from "./octavo.ts";

const consumerName = (webhook: string) => `webhook:${webhook}`;

export const deliveryState = (webhook: string) =>
  queryOptions({
    queryKey: ["event-consumers", webhook],
    queryFn: async () => {
      const { eventConsumers } = await ask<EventConsumers>("/octavo/event-consumers");
      return eventConsumers.find(({ name }) => name === consumerName(webhook)) ?? null;
    },
    refetchInterval: 5_000,
  });

/** The newest events that the receiver refused. */
export const refusedEvents = (webhook: string) =>
  queryOptions({
    queryKey: ["refused-events", webhook],
    queryFn: () =>
      list("/octavo/refused-events", {
        query: `consumer=="${consumerName(webhook)}" sortBy refusedDate/sort.descending`,
        limit: 20,
      }),
    refetchInterval: 5_000,
  });

export const createSecret = (webhook: string) =>
  ask<WebhookSecret>(`/octavo/webhooks/${webhook}/secret`, { method: "POST", body: {} });

export const retryDelivery = (webhook: string) =>
  ask<void>(`/octavo/event-consumers/${encodeURIComponent(consumerName(webhook))}/retry`, { method: "POST", body: {} });

export const retryRefusedEvent = (refused: string) =>
  ask<void>(`/octavo/refused-events/${refused}/retry`, { method: "POST", body: {} });

export const deleteRefusedEvent = (refused: string) =>
  ask<void>(`/octavo/refused-events/${refused}`, { method: "DELETE" });
