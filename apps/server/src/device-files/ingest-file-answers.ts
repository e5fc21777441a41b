import { fileUpSchema, type FileUp } from '@deviceportal/device-protocol/file-message';
import type { DownMessage, UpMessage } from '../gateway/device-transport.ts';
import { parseUpMessage } from '../gateway/parse-up-message.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { findFileRequest, noteActivity, type FileRequestRow } from './data/device-file-queries.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';
import { endRequest } from './end-request.ts';
import { toFileMessage } from './file-request-sender.ts';

/** Of one device: an answer and its repetitions, and progress every second. */
const ANSWER_QUOTA = { burst: 50, perSecond: 10 } as const;

export interface FileAnswersDeps extends Pick<DeviceFilesDeps, 'database' | 'changes'> {
  readonly publish: (messages: readonly DownMessage[]) => void;
  /** A message that no device of ours sends. */
  readonly refuse: (deviceId: string, detail: string) => void;
}

/** Stores what devices answer. An answer is confirmed after the commit. */
export class FileAnswers {
  readonly #deps: FileAnswersDeps;
  readonly #quota = new TokenBuckets(ANSWER_QUOTA);

  constructor(deps: FileAnswersDeps) {
    this.#deps = deps;
  }

  /** Resolves when the message is stored or dropped. What is dropped is sent again. */
  async take({ deviceId, payload }: Pick<UpMessage, 'deviceId' | 'payload'>): Promise<void> {
    if (!this.#quota.of(deviceId).take()) return;
    const parsed = parseUpMessage(fileUpSchema, payload);
    if (parsed.message === undefined) return this.#deps.refuse(deviceId, parsed.fault);
    const { message } = parsed;
    const row = await findFileRequest(this.#deps.database.orm, message.request);
    // Nothing is changed by a device that names a request of another one.
    const isOpen = row?.deviceId === deviceId && row.state === 'sent';
    if (isOpen) await this.#store(row, message);
    if (message.kind === 'progress') return;
    this.#deps.publish([toFileMessage(deviceId, { kind: 'done', request: message.request })]);
  }

  async #store(row: FileRequestRow, message: FileUp): Promise<void> {
    const { id, action } = row;
    if (message.kind === 'refused') {
      await endRequest(this.#deps, { id, failure: message.reason });
    } else if (message.kind === 'listed' && action === 'list') {
      await endRequest(this.#deps, { id, failure: null, page: message.page });
    } else if (message.kind === 'written' && action === 'write') {
      const isSame = message.bytes === row.bytes && message.sha256 === row.sha256;
      await endRequest(this.#deps, { id, failure: isSame ? null : 'digest' });
    } else if (message.kind === 'progress' && action === 'write') {
      const receivedBytes = Math.min(message.bytes, row.bytes ?? 0);
      await noteActivity(this.#deps.database.orm, id, { receivedBytes });
    }
  }
}
