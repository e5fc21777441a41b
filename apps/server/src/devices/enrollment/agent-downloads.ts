import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { PublishedRing } from '@deviceportal/command-signing/publish-ring';
import {
  isSealedAgent,
  openAgent,
  sealAgent,
  type AgentRelease,
} from '@deviceportal/command-signing/signed-agent';
import { PortalError } from '@deviceportal/contract/errors';

export interface AgentDownloadsOptions {
  /** The bundled agent, one file: signed where it is of a release; else as it was built here. */
  readonly bundleFile: string;
  /** The `package.json` of the agent, which names its version. */
  readonly packageFile: string;
  /** Its installer, with `@SERVER_URL@` where the portal's address goes. */
  readonly installerTemplateFile: string;
  readonly publicUrl: string;
  /** The ring `releases`, which devices pin. */
  readonly ring: PublishedRing;
  readonly clock: () => Date;
}

export interface AgentProgram {
  readonly bytes: Buffer;
  /** Id of the key that signed it. */
  readonly keyId: string;
}

/** What a new device needs besides a claim: the installer and the agent, which proves by a signature what it is. */
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
   * The agent, signed by a key that devices of this installation accept. One that was built here, or released with the
   * keys of another installation, is signed with the key of now.
   *
   * @throws PortalError 2003 where none was built; 2000 where it is not what its signature says
   */
  async program(): Promise<AgentProgram> {
    const { bundleFile, ring } = this.#options;
    const found = await stat(bundleFile).catch((cause: unknown) => {
      throw new PortalError('notFound', { message: 'the agent has not been built here', cause });
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
   * The one command that turns a machine into a device, ready to paste into its shell. It names the SHA-256 of the
   * installer and the key that signed the agent: neither is taken from elsewhere.
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

/** Runs the installer only where it is, byte for byte, the one whose SHA-256 stands in the command. */
const FETCH_AND_CHECK = [
  's=$(curl -fsSL "$1/agent/install.sh") || exit 1',
  'h=$(printf "%s\\n" "$s" | { sha256sum || shasum -a 256 || openssl dgst -sha256 -r; } 2>/dev/null | cut -c1-64)',
  '[ "$h" = "$2" ] || { echo "install.sh differs from the one shown in the portal" >&2; exit 1; }',
  'shift 2',
  'printf "%s\\n" "$s" | sh -s -- "$@"',
].join('; ');
