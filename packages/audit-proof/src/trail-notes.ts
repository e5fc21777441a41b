import { z } from 'zod';
import { base64UrlSchema } from './base64-url.ts';
import type { AuditBlock } from './audit-block.ts';
import type { AnnouncedKeys } from './key-turns.ts';
import { recordFields, type RecordValues } from './audit-record.ts';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Data of `audit-trail.month-archived` and `audit-trail.month-deleted`. */
const monthSchema = z.object({
  month: z.string(),
  events: z.int().positive(),
  /** SHA-256 over the leaf hashes of its events in the order of their IDs. */
  digest: hashSchema,
  file: z.string(),
});

/** Data of `audit-trail.events-refused`. */
const refusedSchema = z.object({
  events: z.array(z.object({ id: z.string(), at: z.string(), digest: hashSchema })),
});

/** Data of `audit-trail.key-announced`. */
const announcedSchema = z.object({ publicKey: base64UrlSchema });

export interface NotedMonth extends z.infer<typeof monthSchema> {
  /** When the block with this event was sealed. */
  readonly sealedAt: string;
}

export interface RefusedEvent {
  /** The recorded time that did not match. */
  readonly at: string;
  /** Leaf hash of the event when it was rejected. */
  readonly digest: string;
  readonly sealedAt: string;
}

const TYPE = recordFields.indexOf('type');
const DATA = recordFields.indexOf('data');

/**
 * Records of sealed events about the trail itself. Only they justify a missing or unsealed event.
 */
export class TrailNotes {
  readonly #archived = new Map<string, NotedMonth>();
  readonly #deleted: NotedMonth[] = [];
  readonly #refused = new Map<string, RefusedEvent>();
  readonly #announced = new Set<string>();

  /** By file. */
  get archived(): ReadonlyMap<string, NotedMonth> {
    return this.#archived;
  }

  get deleted(): readonly NotedMonth[] {
    return this.#deleted;
  }

  /** By event ID. */
  get refused(): ReadonlyMap<string, RefusedEvent> {
    return this.#refused;
  }

  get announced(): AnnouncedKeys {
    return this.#announced;
  }

  /** @param values fields of an event that matches its seal in the block */
  add(values: RecordValues, { sealedAt }: Pick<AuditBlock, 'sealedAt'>): void {
    const type = values[TYPE];
    if (!type?.startsWith('audit-trail.')) return;
    if (type === 'audit-trail.events-refused') {
      const events = parse(refusedSchema, values[DATA])?.events ?? [];
      for (const { id, ...refused } of events) this.#refused.set(id, { ...refused, sealedAt });
      return;
    }
    if (type === 'audit-trail.key-announced') {
      const key = parse(announcedSchema, values[DATA]);
      if (key !== undefined) this.#announced.add(key.publicKey);
      return;
    }
    const month = parse(monthSchema, values[DATA]);
    if (month === undefined) return;
    if (type === 'audit-trail.month-archived') {
      this.#archived.set(month.file, { ...month, sealedAt });
    }
    if (type === 'audit-trail.month-deleted') this.#deleted.push({ ...month, sealedAt });
  }
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  text: string | null | undefined,
): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}
