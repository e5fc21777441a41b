import type { SoftwareUploadState } from '@deviceportal/contract/versions';

/** Small enough that a break costs little, large enough that the way to and fro does not count. */
const PIECE_BYTES = 8 * 1024 * 1024;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** So often in a row nothing gets through before somebody is asked. */
const ATTEMPTS = 6;

/** The server's answer was no: asking again changes nothing. */
export class UploadRefused extends Error {}

export interface SendFileOptions {
  readonly signal: AbortSignal;
  /** Told of the share that was sent, 0 … 1. */
  readonly onProgress: (share: number) => void;
  /** Told when a piece did not get through and is sent again. */
  readonly onBreak?: () => void;
  readonly send?: SendPiece;
  readonly ask?: (url: string) => Promise<SoftwareUploadState>;
  readonly firstWaitMs?: number;
}

export type SendPiece = (
  url: string,
  piece: { readonly content: Blob; readonly range: string },
  options: { readonly signal: AbortSignal; readonly onSent: (bytes: number) => void },
) => Promise<SoftwareUploadState>;

/**
 * Sends a file piece by piece. What broke off is gone on with from where the server has it, also by a later call with the
 * same link.
 * @throws UploadRefused with the server's words; Error when nothing gets through any more
 */
export async function sendFile(url: string, file: Blob, options: SendFileOptions): Promise<void> {
  const { signal, onProgress, onBreak, send = sendPiece, ask = askState } = options;
  let failures = 0;
  for (;;) {
    try {
      let state = await ask(url);
      while (state.sha256 === null) {
        const from = state.bytes;
        const end = Math.min(from + PIECE_BYTES, file.size);
        const piece = {
          content: file.slice(from, end),
          range: `bytes ${from}-${end - 1}/${file.size}`,
        };
        const onSent = (bytes: number): void => onProgress((from + bytes) / file.size);
        state = await send(url, piece, { signal, onSent });
        failures = 0;
      }
      onProgress(1);
      return;
    } catch (error) {
      failures += 1;
      if (signal.aborted || error instanceof UploadRefused || failures >= ATTEMPTS) throw error;
      onBreak?.();
      const waitMs = (options.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** (failures - 1);
      await pause(Math.min(waitMs, LONGEST_WAIT_MS), signal);
    }
  }
}

async function askState(url: string): Promise<SoftwareUploadState> {
  const response = await fetch(url, { cache: 'no-store' });
  return readAnswer(response.status, await response.text());
}

/** By XMLHttpRequest: `fetch` tells nothing of how far it got. */
const sendPiece: SendPiece = (url, { content, range }, { signal, onSent }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.setRequestHeader('content-range', range);
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      try {
        resolve(readAnswer(request.status, request.responseText));
      } catch (error) {
        reject(error as Error);
      }
    });
    request.addEventListener('error', () => reject(new Error('The connection broke')));
    request.addEventListener('abort', () => reject(new Error('The upload was stopped')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(new Error('The upload was stopped'));
    else request.send(content);
  });

/** @throws UploadRefused for what stays as it is, Error for what may pass */
function readAnswer(status: number, text: string): SoftwareUploadState {
  if (status >= 200 && status < 300) return JSON.parse(text) as SoftwareUploadState;
  const mayPass = status >= 500 || status === 408 || status === 429;
  const message = messageIn(text) ?? `The upload was answered with ${status}`;
  throw mayPass ? new Error(message) : new UploadRefused(message);
}

function messageIn(text: string): string | null {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}

function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    signal.addEventListener('abort', done, { once: true });
  });
}
