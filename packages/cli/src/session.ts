import { ApiClient } from './api/api-client.ts';
import type { CliContext } from './cli-context.ts';
import { CliError } from './cli-error.ts';
import { portalUrlOf } from './config/portal-url.ts';
import { SignIns } from './config/sign-ins.ts';
import { exitCodes } from './exit-codes.ts';
import { Printer } from './output/printer.ts';

export interface CommonOptions {
  readonly json?: boolean | undefined;
  readonly portal?: string | undefined;
}

/** What a command works with. */
export interface Session {
  readonly context: CliContext;
  readonly printer: Printer;
  readonly signIns: SignIns;
  /** The portal of the command. @throws CliError if none is known */
  portalUrl(): Promise<string>;
  /** @throws CliError without a sign-in */
  api(): Promise<ApiClient>;
}

export function openSession(context: CliContext, { json = false, portal }: CommonOptions): Session {
  const { env } = context;
  const signIns = new SignIns(context);
  const portalUrl = async (): Promise<string> => {
    const named = portal ?? env['DEVICEPORTAL_URL'] ?? (await signIns.current());
    if (named !== null && named !== '') return portalUrlOf(named);
    throw notSignedIn('You are not signed in to a portal.');
  };
  return {
    ...{ context, printer: new Printer(context, json), signIns, portalUrl },
    async api() {
      const url = await portalUrl();
      const token = env['DEVICEPORTAL_TOKEN'] || (await signIns.find(url))?.token;
      if (token === undefined) throw notSignedIn(`You are not signed in to ${url}.`);
      return new ApiClient(url, token);
    },
  };
}

const notSignedIn = (message: string): CliError =>
  new CliError(`${message} Sign in first: deviceportal sign-in <url>`, {
    exitCode: exitCodes.notSignedIn,
  });
