/** What webhooks have been sent, what they have not taken, and the secrets that they are signed with. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import { list } from "./list.ts";
import type { EventConsumers, WebhookSecret } from "./octavo.ts";

const consumerOf = (webhook: string) => `webhook:${webhook}`;

export const delivery = (webhook: string) =>
  queryOptions({
    queryKey: ["event-consumers", webhook],
    queryFn: async () => {
      const { eventConsumers } = await ask<EventConsumers>("/octavo/event-consumers");
      return eventConsumers.find(({ name }) => name === consumerOf(webhook)) ?? null;
    },
    refetchInterval: 5_000,
  });

/** The newest that the receiver did not want. */
export const refusedEvents = (webhook: string) =>
  queryOptions({
    queryKey: ["refused-events", webhook],
    queryFn: () =>
      list("/octavo/refused-events", {
        query: `consumer=="${consumerOf(webhook)}" sortBy refusedDate/sort.descending`,
        limit: 20,
      }),
    refetchInterval: 5_000,
  });

export const newSecret = (webhook: string) =>
  ask<WebhookSecret>(`/octavo/webhooks/${webhook}/secret`, { method: "POST", body: {} });

export const sendNow = (webhook: string) =>
  ask<void>(`/octavo/event-consumers/${encodeURIComponent(consumerOf(webhook))}/retry`, { method: "POST", body: {} });

export const sendAgain = (refused: string) =>
  ask<void>(`/octavo/refused-events/${refused}/retry`, { method: "POST", body: {} });

export const removeRefused = (refused: string) => ask<void>(`/octavo/refused-events/${refused}`, { method: "DELETE" });
