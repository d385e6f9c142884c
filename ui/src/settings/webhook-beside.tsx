/** Beside the form of a webhook: its secret, the state of delivery, and events that its receiver refused. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createSecret,
  deleteRefusedEvent,
  deliveryState,
  refusedEvents,
  retryDelivery,
  retryRefusedEvent,
} from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import type { SettingRecord } from "./kind.ts";
import { EVENT_TYPES } from "./kinds/webhooks.ts";
import { useSettingsWords } from "./words/index.tsx";

export function BesideWebhook({ draft }: { draft: SettingRecord }) {
  return draft.id === undefined ? null : (
    <div>
      <Secret webhook={draft.id} />
      <Delivery webhook={draft.id} />
      <RefusedEvents webhook={draft.id} />
    </div>
  );
}

function Secret({ webhook }: { webhook: string }) {
  const { webhook: words } = useSettingsWords();
  const may = useMay();
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () => createSecret(webhook),
    onSuccess: () => client.invalidateQueries({ queryKey: deliveryState(webhook).queryKey }),
  });
  if (!may("octavo.webhooks.secret.post")) return null;
  return (
    <section className="sheet" aria-label={words.secret}>
      <h2>{words.secret}</h2>
      <p className="help">{words.secretHelp}</p>
      {making.data && (
        <p role="status">
          {words.secretOnce} <Code>{making.data.secret}</Code>
        </p>
      )}
      {making.error && <ErrorMessage error={making.error} />}
      <Button onPress={() => making.mutate()}>{words.newSecret}</Button>
    </section>
  );
}

function Delivery({ webhook }: { webhook: string }) {
  const { webhook: words } = useSettingsWords();
  const formats = useFormats();
  const may = useMay();
  const asked = useQuery({ ...deliveryState(webhook), enabled: may("octavo.event-consumers.collection.get") });
  const hurrying = useMutation({ mutationFn: () => retryDelivery(webhook), onSuccess: () => asked.refetch() });
  if (!may("octavo.event-consumers.collection.get")) return null;
  if (asked.isPending) return <Loading />;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const state = asked.data;
  return (
    <section className="sheet" aria-label={words.delivery}>
      <h2>{words.delivery}</h2>
      {state && (
        <>
          <p>
            {words.sent(formats.number(state.taken))} {words.waiting(formats.number(state.waiting))}
          </p>
          {state.lost > 0 && <p className="banner">{words.lost(formats.number(state.lost))}</p>}
          {state.failures > 0 && (
            <div className="banner bad" role="alert">
              <p>
                {words.failed(formats.number(state.failures))} {state.message}
              </p>
              {state.nextAttemptDate && <p>{words.next(formats.moment(state.nextAttemptDate))}</p>}
            </div>
          )}
          {state.failures > 0 && may("octavo.event-consumers.retry.post") && (
            <Button onPress={() => hurrying.mutate()}>{words.sendNow}</Button>
          )}
        </>
      )}
      {hurrying.error && <ErrorMessage error={hurrying.error} />}
    </section>
  );
}

function RefusedEvents({ webhook }: { webhook: string }) {
  const { webhook: words } = useSettingsWords();
  const formats = useFormats();
  const may = useMay();
  const asked = useQuery({ ...refusedEvents(webhook), enabled: may("octavo.refused-events.collection.get") });
  const again = useMutation({ mutationFn: retryRefusedEvent, onSettled: () => asked.refetch() });
  const removing = useMutation({ mutationFn: deleteRefusedEvent, onSettled: () => asked.refetch() });
  const { refusedEvents: refused = [], totalRecords = 0 } = asked.data ?? {};
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  if (refused.length === 0) return null;
  return (
    <section className="sheet" aria-label={words.refused}>
      <h2>{words.refused}</h2>
      <p className="help">{words.refusedHelp(formats.number(totalRecords))}</p>
      {(again.error || removing.error) && <ErrorMessage error={again.error ?? removing.error} />}
      <ul className="rows">
        {refused.map(({ id = "", type = "", at = "", message }) => (
          <li className="row short" key={id}>
            <div className="what">
              <strong>{eventTypeName(type, words.typeNames)}</strong>
              <small>
                {formats.moment(at)} · {message}
              </small>
            </div>
            <div className="actions">
              {may("octavo.refused-events.retry.post") && (
                <Button kind="quiet" onPress={() => again.mutate(id)}>
                  {words.sendAgain}
                </Button>
              )}
              {may("octavo.refused-events.item.delete") && (
                <Button kind="quiet" onPress={() => removing.mutate(id)}>
                  {words.remove}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Event types of modules outside of Octavo have no name here: the type itself is shown. */
function eventTypeName(type: string, names: Record<(typeof EVENT_TYPES)[number], string>): string {
  const known = EVENT_TYPES.find((one) => one === type);
  return known ? names[known] : type;
}
