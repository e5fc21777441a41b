/**
 * An event as receivers get it. Fields are only added; `sequence` and `hash` are those of the chain, so that a receiver
 * finds gaps, repetitions, and changes.
 */
export interface StreamedEvent {
  /** Position in the trail, from 1 without gaps. */
  readonly sequence: number;
  /** SHA-256 of the sealed event, hexadecimal: a leaf of its block. */
  readonly hash: string;
  readonly block: number;
  readonly id: string;
  /** Null if the event was deleted at the end of its retention before it could be delivered. */
  readonly event: {
    /** UTC with microseconds. */
    readonly at: string;
    readonly type: string;
    readonly actor: {
      readonly kind: string;
      readonly id: string | null;
      readonly name: string;
      readonly address: string | null;
    };
    readonly deviceId: string | null;
    readonly caseId: string | null;
    readonly requestId: string | null;
    readonly runId: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  } | null;
}

/** JSON in ASCII. */
export const streamLine = (event: StreamedEvent): string =>
  JSON.stringify(event).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
