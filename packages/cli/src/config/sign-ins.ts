import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

export interface SignIn {
  readonly token: string;
  readonly expiresAt: string;
}

interface SignInFile {
  /** The portal that commands use unless another one is named. */
  readonly current: string | null;
  readonly portals: Readonly<Record<string, SignIn>>;
}

const NOTHING: SignInFile = { current: null, portals: {} };
const OTHERS = 0o077;

/** The tokens of a user of this machine, in a file that only the user can read. */
export class SignIns {
  readonly path: string;
  readonly #platform: NodeJS.Platform;

  constructor({ env, homeDir, platform }: Pick<CliContext, 'env' | 'homeDir' | 'platform'>) {
    const base =
      env['DEVICEPORTAL_CONFIG_DIR'] ??
      join(
        env['XDG_CONFIG_HOME'] ??
          (platform === 'win32' ? env['APPDATA'] : undefined) ??
          join(homeDir, '.config'),
        'deviceportal',
      );
    this.path = join(base, 'sign-ins.json');
    this.#platform = platform;
  }

  async current(): Promise<string | null> {
    return (await this.#read()).current;
  }

  async find(portal: string): Promise<SignIn | undefined> {
    const { portals } = await this.#read();
    return Object.hasOwn(portals, portal) ? portals[portal] : undefined;
  }

  /** Stores the sign-in and makes its portal the current one. */
  async store(portal: string, signIn: SignIn): Promise<void> {
    const { portals } = await this.#read();
    await this.#write({ current: portal, portals: { ...portals, [portal]: signIn } });
  }

  async remove(portal: string): Promise<void> {
    const { current, portals } = await this.#read();
    const { [portal]: _removed, ...others } = portals;
    const next = current === portal ? (Object.keys(others)[0] ?? null) : current;
    await this.#write({ current: next, portals: others });
  }

  async #read(): Promise<SignInFile> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return NOTHING;
    await this.#requirePrivate();
    try {
      return { ...NOTHING, ...(JSON.parse(text) as Partial<SignInFile>) };
    } catch (cause) {
      throw new CliError(`${this.path} is damaged. Delete it, and sign in again.`, {
        ...{ exitCode: exitCodes.notSignedIn, cause },
      });
    }
  }

  /** As ssh does with keys: a token that others can read is not used. */
  async #requirePrivate(): Promise<void> {
    if (this.#platform === 'win32') return;
    const { mode } = await stat(this.path);
    if ((mode & OTHERS) === 0) return;
    throw new CliError(
      `Other users of this machine can read ${this.path}. Run: chmod 600 '${this.path}'`,
      { exitCode: exitCodes.notSignedIn },
    );
  }

  async #write(content: SignInFile): Promise<void> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${randomUUID()}`);
    try {
      await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, {
        ...{ mode: 0o600, flag: 'wx' },
      });
      await chmod(draft, 0o600);
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
