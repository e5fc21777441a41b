/** Uploads a collected file to the URL of the command: PUT `{artefactUploadUrl}&name={file}`. */

import { createHash } from 'node:crypto';
import { COLLECTED_ARTIFACT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import type { JournalDraft } from '@deviceportal/device-protocol/journal';
import type { CommandMessage } from '@deviceportal/device-protocol/messages';
import type { CollectedFile } from '../machine/machine.ts';

const ATTEMPTS = 3;
const WAIT_MS = 1_000;

export interface UploadOrder {
  readonly file: CollectedFile;
  readonly message: Pick<CommandMessage, 'artefactUploadUrl' | 'invocationId'>;
  /** Base of relative URLs. */
  readonly serverUrl: string;
  readonly signal: AbortSignal;
}

/** Resolves with the journal entry of the file. Rejects with a readable reason. */
export async function uploadFile(order: UploadOrder, send: typeof fetch): Promise<JournalDraft> {
  const { artefactUploadUrl, invocationId } = order.message;
  if (!artefactUploadUrl) throw new Error('this command collects no files');
  const content = await order.file.content();
  if (content.size > COLLECTED_ARTIFACT_LIMIT_BYTES) throw new Error('larger than 100 MiB');
  const url = new URL(artefactUploadUrl, order.serverUrl);
  url.searchParams.set('name', order.file.name);
  const hash = createHash('sha256');
  for await (const part of content.stream()) hash.update(part);
  await put(url, content, { send, signal: order.signal });
  return {
    kind: 'invocation-artefact',
    invocationId,
    name: order.file.name,
    bytes: content.size,
    sha256: hash.digest('hex'),
  };
}

async function put(
  url: URL,
  body: Blob,
  { send, signal }: { send: typeof fetch; signal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const headers = { 'content-type': 'application/octet-stream' };
      const response = await send(url, { method: 'PUT', body, headers, signal });
      if (response.ok) return;
      throw await refusalOf(response);
    } catch (error) {
      if (attempt === ATTEMPTS || signal.aborted || error instanceof UploadRefused) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, attempt * WAIT_MS);
      });
    }
  }
}

/** An error that a retry does not resolve. */
class UploadRefused extends Error {}

const TOO_MANY = 429;

async function refusalOf(response: Response): Promise<Error> {
  const answered = `the server returned HTTP ${response.status}`;
  if (response.status >= 500 || response.status === TOO_MANY) return new Error(answered);
  const body: unknown = await response.json().catch(() => undefined);
  const message = (body as { message?: unknown } | undefined)?.message;
  return new UploadRefused(typeof message === 'string' ? message.slice(0, 200) : answered);
}
