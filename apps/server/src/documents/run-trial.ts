import { spawn } from 'node:child_process';
import type { DocumentTrial } from '@deviceportal/contract/document-trials';
import { PortalError } from '@deviceportal/contract/errors';

/** A simulated hour passes in a moment: longer is a script that never ends. */
const LIMIT_MS = 15_000;
const MEMORY_MEGABYTES = 192;
/** A script that names a long value a thousand times becomes as long, and so does what is told of it. */
const MOST_ANSWER_BYTES = 4 * 1_024 * 1_024;

/** Runs one dry run, given as the trial program takes it. */
export type TrialRunner = (request: object) => Promise<DocumentTrial>;

/**
 * Dry runs as processes of their own, with nothing of the server's surroundings in them: what is tried nobody has
 * reviewed.
 *
 * @param file the trial program
 */
export function createTrialRunner(file: string): TrialRunner {
  return (request) => runProgram(file, request);
}

async function runProgram(file: string, request: object): Promise<DocumentTrial> {
  const child = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MEGABYTES}`, file], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  // A program that ends early does not read to the end.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(request));
  let isTooMuch = false;
  const upTo = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const read: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      isTooMuch ||= bytes > MOST_ANSWER_BYTES;
      if (isTooMuch) child.kill('SIGKILL');
      else read.push(chunk);
    }
    return Buffer.concat(read);
  };
  const [answer, complaint, code] = await Promise.all([
    upTo(child.stdout),
    upTo(child.stderr),
    ended,
  ]);
  if (isTooMuch) throw refused(`it told more than ${MOST_ANSWER_BYTES / 1_024 / 1_024} MiB`);
  if (code === 0) return JSON.parse(answer.toString('utf8')) as DocumentTrial;
  if (code === null) throw refused(`it took longer than ${LIMIT_MS / 1_000} s`);
  throw refused(complaint.toString('utf8').trim().slice(0, 300) || `it ended with ${code}`);
}

function refused(reason: string): PortalError {
  return new PortalError('commandFailed', {
    message: `The dry run did not end well: ${reason}`,
    facts: { reason },
  });
}
