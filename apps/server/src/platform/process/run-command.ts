import { takeOptions, type OptionKinds } from './command-options.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { createLogger, type Logger } from '../logging.ts';
import { runProgram } from './run-program.ts';
import { StartError } from './start-error.ts';

export interface CommandContext {
  /** Arguments before the first option. */
  readonly words: readonly string[];
  /** The command's own options, by name. */
  readonly options: ReadonlyMap<string, string>;
  readonly config: Config;
  readonly logger: Logger;
  readonly resources: AsyncDisposableStack;
}

/**
 * Runs an operator command: `WORDS… [server options]`, with the server's configuration.
 * @param usage shown if the number of arguments is not allowed
 * @returns the output of `work`
 */
export async function runOperatorCommand(
  usage: {
    readonly words: number | readonly number[];
    readonly line: string;
    readonly options?: OptionKinds;
  },
  work: (context: CommandContext) => Promise<string>,
): Promise<void> {
  await runProgram(async () => {
    const argv = process.argv.slice(2);
    const firstOption = argv.findIndex((argument) => argument.startsWith('--'));
    const words = firstOption === -1 ? argv : argv.slice(0, firstOption);
    const counts = [usage.words].flat();
    if (!counts.includes(words.length)) throw new StartError(`Usage: ${usage.line}`);
    const { options, rest } = takeOptions(argv.slice(words.length), usage.options ?? {});
    const config = readConfig({
      argv: rest,
      env: process.env,
      workingDir: process.cwd(),
    });
    await using resources = new AsyncDisposableStack();
    const line = await work({ words, options, config, logger: createLogger(config), resources });
    process.stdout.write(`${line}\n`);
  });
}
