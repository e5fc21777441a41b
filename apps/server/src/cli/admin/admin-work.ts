import type { CommandContext } from '../../platform/process/run-command.ts';

/** A subcommand of `npm run admin -- VERB …`. */
export interface AdminWork {
  /** The arguments after the verb, as shown in the usage line. */
  readonly usage: string;
  /** Allowed numbers of arguments after the verb. */
  readonly words: readonly number[];
  /** @returns the output lines */
  readonly run: (context: CommandContext, words: readonly string[]) => Promise<string>;
}
