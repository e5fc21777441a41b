import { runCommand, secondsSince } from './run-command.mjs';

/**
 * @typedef {{ name: string, program: string, args: readonly string[], cwd?: string, env?: Record<string, string> }} Step
 */

/**
 * Runs steps concurrently and shows the output of failed ones.
 * @param {readonly Step[]} steps
 * @param {number} atOnce
 * @returns {Promise<string[]>} names of the failed steps
 */
export async function runSteps(steps, atOnce) {
  const waiting = [...steps];
  const failed = [];
  const takeNext = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const startedAt = performance.now();
      const { code, output } = await runCommand(step.program, step.args, {
        cwd: step.cwd,
        env: step.env,
        capture: true,
      });
      const word = code === 0 ? 'ok    ' : 'FAILED';
      process.stdout.write(`${word} ${step.name} (${secondsSince(startedAt)})\n`);
      if (code === 0) continue;
      failed.push(step.name);
      process.stdout.write(`${output.trimEnd()}\n\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeNext));
  return failed;
}
