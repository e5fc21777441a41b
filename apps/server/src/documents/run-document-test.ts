import { spawn } from 'node:child_process';
import type { DocumentTest } from '@deviceportal/contract/document-tests';
import { PortalError } from '@deviceportal/contract/errors';

/** A simulated hour takes milliseconds, so a test that runs longer does not end. */
const LIMIT_MS = 15_000;
const MEMORY_MEGABYTES = 192;
/** A script that repeats a long parameter value produces large output. */
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024;

/** Runs a test with a request for the test program. */
export type DocumentTestRunner = (request: object) => Promise<DocumentTest>;

/**
 * Creates a runner that starts each test in a separate process with an empty environment, because the text has not been
 * reviewed.
 *
 * @param file the test program
 */
export function createDocumentTestRunner(file: string): DocumentTestRunner {
  return (request) => runProgram(file, request);
}

async function runProgram(file: string, request: object): Promise<DocumentTest> {
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
  // Writing fails if the process ends before it has read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(request));
  let isTooMuch = false;
  const upTo = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const read: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      isTooMuch ||= bytes > MAX_ANSWER_BYTES;
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
  if (isTooMuch) throw refused(`output exceeds ${MAX_ANSWER_BYTES / 1_024 / 1_024} MiB`);
  if (code === 0) return JSON.parse(answer.toString('utf8')) as DocumentTest;
  if (code === null) throw refused(`timed out after ${LIMIT_MS / 1_000} s`);
  throw refused(complaint.toString('utf8').trim().slice(0, 300) || `exited with ${code}`);
}

function refused(reason: string): PortalError {
  return new PortalError('commandFailed', {
    message: `The dry run did not end well: ${reason}`,
    facts: { reason },
  });
}
