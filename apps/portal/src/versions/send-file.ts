import type { SoftwareUploadState } from '@deviceportal/contract/versions';

/** Bytes per request: small enough for cheap retries, large enough that latency does not matter. */
const PIECE_BYTES = 8 * 1024 * 1024;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** Consecutive failed attempts before the upload is reported as interrupted. */
const ATTEMPTS = 6;

/** The server rejected the upload. A retry does not help. */
export class UploadRefused extends Error {}

export interface SendFileOptions {
  readonly signal: AbortSignal;
  /** Receives the share that was sent, 0 … 1. */
  readonly onProgress: (share: number) => void;
  /** Called when a chunk failed and is sent again. */
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
 * Sends a file in chunks. An interrupted upload resumes at the position of the server, also in a
 * later call with the same link.
 * @throws UploadRefused with the server’s message, Error after repeated failures.
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

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
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
    request.addEventListener('error', () => reject(new Error('connection lost')));
    request.addEventListener('abort', () => reject(new Error('upload aborted')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(new Error('upload aborted'));
    else request.send(content);
  });

/** @throws UploadRefused for a final error, Error for a temporary one. */
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
