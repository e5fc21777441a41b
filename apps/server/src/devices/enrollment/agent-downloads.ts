import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PublishedRing } from '@deviceportal/command-signing/publish-ring';
import {
  isSealedAgent,
  openAgent,
  sealAgent,
  type AgentRelease,
} from '@deviceportal/command-signing/signed-agent';
import { PortalError } from '@deviceportal/contract/errors';

export interface AgentDownloadsOptions {
  /** The bundled agent, one file. Signed if it is from a release. */
  readonly bundleFile: string;
  /** The `package.json` of the agent, which contains its version. */
  readonly packageFile: string;
  /** The installer template; `@SERVER_URL@` is replaced by the portal's address. */
  readonly installerTemplateFile: string;
  readonly publicUrl: string;
  /** The key ring `releases`, which devices pin. */
  readonly ring: PublishedRing;
  readonly clock: () => Date;
}

export interface AgentProgram {
  readonly bytes: Buffer;
  /** ID of the key that signed it. */
  readonly keyId: string;
}

/** Downloads for new devices: the installer and the signed agent. */
export class AgentDownloads {
  readonly #options: AgentDownloadsOptions;
  #kept: { readonly of: string; readonly program: Promise<AgentProgram> } | undefined;

  constructor(options: AgentDownloadsOptions) {
    this.#options = options;
  }

  async installer(): Promise<string> {
    const { installerTemplateFile, publicUrl } = this.#options;
    const template = await readFile(installerTemplateFile, 'utf8');
    return template.replaceAll('@SERVER_URL@', publicUrl.replace(/\/+$/, ''));
  }

  /**
   * The agent, signed by a key that devices of this installation accept. An agent that was built locally, or released
   * with the keys of another installation, is signed with the current key.
   *
   * @throws PortalError 2003 if no agent was built; 2000 if its signature is not valid
   */
  async program(): Promise<AgentProgram> {
    const { bundleFile, ring } = this.#options;
    const found = await stat(bundleFile).catch((cause: unknown) => {
      throw new PortalError('notFound', { message: 'no agent build found', cause });
    });
    const of = `${found.mtimeMs} ${found.size} ${ring.sequence}`;
    const kept = this.#kept?.of === of ? this.#kept : { of, program: this.#read() };
    this.#kept = kept;
    return kept.program.catch((error: unknown) => {
      if (this.#kept === kept) this.#kept = undefined;
      throw error;
    });
  }

  /**
   * A native file next to the bundle.
   * @throws PortalError 2003 if there is none for this platform
   */
  async nativeFile(name: string): Promise<Buffer> {
    return readFile(join(dirname(this.#options.bundleFile), name)).catch((cause: unknown) => {
      throw new PortalError('notFound', { cause });
    });
  }

  /**
   * The command that installs the agent, for pasting into a shell. It contains the SHA-256 of the installer and the key
   * that signed the agent, so that neither is taken from another source.
   */
  async installCommand(claimToken: string): Promise<string> {
    const { publicUrl, ring } = this.#options;
    const sha256 = createHash('sha256')
      .update(await this.installer())
      .digest('hex');
    const { keyId } = await this.program().catch(() => ring.current);
    const server = publicUrl.replace(/\/+$/, '');
    return `sh -c '${FETCH_AND_CHECK}' - ${server} ${sha256} --key ${keyId} --claim ${claimToken}`;
  }

  async #seal(bytes: Buffer, release: AgentRelease): Promise<AgentProgram> {
    const { current } = this.#options.ring;
    return { bytes: await sealAgent(bytes, release, current), keyId: current.keyId };
  }

  async #read(): Promise<AgentProgram> {
    const { bundleFile, packageFile, ring, clock } = this.#options;
    const bytes = await readFile(bundleFile);
    if (!isSealedAgent(bytes)) {
      const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
      return this.#seal(bytes, {
        ...{ version, allowsDowngrade: false },
        releasedAt: clock().toISOString(),
      });
    }
    const opened = openAgent(bytes, () => true);
    if (typeof opened === 'string') {
      throw new PortalError('httpUnknown', {
        message: 'the agent of this server does not match its signature',
        detail: opened,
      });
    }
    const { release, keyId } = opened;
    return ring.pinned.some((key) => key.keyId === keyId)
      ? { bytes, keyId }
      : this.#seal(bytes, release);
  }
}

/** Runs the installer only if its SHA-256 is the one in the command. */
const FETCH_AND_CHECK = [
  's=$(curl -fsSL "$1/agent/install.sh") || exit 1',
  'h=$(printf "%s\\n" "$s" | { sha256sum || shasum -a 256 || openssl dgst -sha256 -r; } 2>/dev/null | cut -c1-64)',
  '[ "$h" = "$2" ] || { echo "install.sh differs from the one shown in the portal" >&2; exit 1; }',
  'shift 2',
  'printf "%s\\n" "$s" | sh -s -- "$@"',
].join('; ');
