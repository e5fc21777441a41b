import type { HeartbeatMessage } from '@deviceportal/device-protocol/messages';

/** Checks are not exactly a minute apart, and one too early is better than one a minute late. */
const EARLY_MS = 5_000;

/** Decides which results of the self-check are reported, where that costs per message. */
export class ReportedHeartbeat {
  #last: { readonly content: string; readonly atMs: number } | undefined;

  /** Whether the result is due, or other than the last one that was reported. */
  mustSend(heartbeat: HeartbeatMessage, everySeconds: number, nowMs: number): boolean {
    const last = this.#last;
    return (
      last === undefined ||
      nowMs - last.atMs >= everySeconds * 1_000 - EARLY_MS ||
      last.content !== contentOf(heartbeat)
    );
  }

  note(heartbeat: HeartbeatMessage, nowMs: number): void {
    this.#last = { content: contentOf(heartbeat), atMs: nowMs };
  }

  /** A new connection begins with a report. */
  forget(): void {
    this.#last = undefined;
  }
}

/** Without figures, which change with every check. */
const contentOf = ({ connectionRevision, failing }: HeartbeatMessage): string =>
  JSON.stringify([connectionRevision, failing.map(({ part }) => part).toSorted()]);
