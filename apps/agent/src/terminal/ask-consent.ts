/**
 * Asks a person at the device by a program of the owner of the device. It shows the request and exits
 * with 0 if the person agrees.
 */

import { spawn } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ConsentRequest {
  readonly session: string;
  readonly subject: 'terminal' | 'web-page';
  readonly user: string;
  readonly reason: string;
  readonly seconds: number;
}

export type ConsentAnswer = 'agreed' | 'refused' | 'unanswered' | 'cancelled' | 'failed';

export interface ConsentQuestion {
  readonly program: string;
  readonly request: ConsentRequest;
  readonly signal: AbortSignal;
}

const MOST_CHARACTERS = 500;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
/** Settings of the agent can contain secrets. */
const OWN_SETTINGS = /^DEVICEPORTAL_AGENT_/;

export async function askConsent({
  program,
  request,
  signal,
}: ConsentQuestion): Promise<ConsentAnswer> {
  if (signal.aborted) return 'cancelled';
  if (!isOwnersProgram(program)) return 'failed';
  const shown = {
    ...request,
    user: plainLine(request.user),
    reason: plainLine(request.reason),
  };
  const { promise, resolve } = Promise.withResolvers<ConsentAnswer>();
  const child = spawn(program, [], {
    env: environmentOf(shown),
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // A group of its own, so that the dialog of a script ends with it.
    detached: true,
  });
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const timer = setTimeout(() => resolve('unanswered'), request.seconds * 1_000);
  const cancel = (): void => resolve('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  child.once('error', () => resolve('failed'));
  child.once('exit', (code) => resolve(code === 0 ? 'agreed' : 'refused'));
  child.stdin.once('error', () => {});
  child.stdin.end(`${JSON.stringify(shown)}\n`);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    kill();
  }
}

function environmentOf({
  user,
  reason,
  session,
  subject,
  seconds,
}: ConsentRequest): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name));
  return {
    ...Object.fromEntries(inherited),
    DEVICEPORTAL_TERMINAL_USER: user,
    DEVICEPORTAL_TERMINAL_REASON: reason,
    DEVICEPORTAL_TERMINAL_SESSION: session,
    DEVICEPORTAL_TERMINAL_SECONDS: String(seconds),
    DEVICEPORTAL_CONSENT_SUBJECT: subject,
  };
}

/** Only root and the account of the agent can replace the program, or a folder above it. */
export function isOwnersProgram(program: string): boolean {
  try {
    const path = realpathSync(program);
    const file = lstatSync(path);
    if (!file.isFile() || (file.mode & 0o111) === 0 || !isOwners(file)) return false;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const stats = lstatSync(folder);
      if (!isOwners(stats) && (stats.mode & STICKY) === 0) return false;
      if (folder === dirname(folder)) return true;
    }
  } catch {
    return false;
  }
}

const isOwners = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  (uid === 0 || uid === process.getuid?.()) && (mode & OTHERS_WRITE) === 0;

/** One line without control characters, and without those that change the direction of text. */
const plainLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
