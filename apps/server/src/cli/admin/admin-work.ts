import type { CommandContext } from '../../platform/process/run-command.ts';

/** One thing that `npm run admin -- VERB …` does. */
export interface AdminWork {
  /** The words after the verb, as the usage shows them. */
  readonly usage: string;
  /** How many words there may be after the verb. */
  readonly words: readonly number[];
  /** @returns the lines that say what was done */
  readonly run: (context: CommandContext, words: readonly string[]) => Promise<string>;
}
