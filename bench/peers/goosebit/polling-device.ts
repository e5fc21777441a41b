import { request } from 'node:http';

const LOG_LINE = 'x'.repeat(450);

interface PollAnswer {
  readonly config: { readonly polling: { readonly sleep: string } };
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

interface Deployment {
  readonly id: string;
  readonly deployment: {
    readonly chunks: readonly {
      readonly version: string;
      readonly artifacts: readonly {
        readonly _links: Readonly<Record<string, { readonly href: string }>>;
      }[];
    }[];
  };
}

export class PollingDevice {
  readonly #url: string;
  #version = '1.0.0';
  #intervalMs = 0;
  #isBusy = false;

  constructor(server: string, id: string) {
    this.#url = `${server}/DEFAULT/controller/v1/${id}`;
  }

  async register(): Promise<void> {
    await ask('GET', this.#url);
    await this.#describe();
    const { config } = (await ask('GET', this.#url)) as PollAnswer;
    const [hours = 0, minutes = 0, seconds = 0] = config.polling.sleep.split(':').map(Number);
    this.#intervalMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  }

  /** @param phase from 0 to 1 of the interval */
  pollRegularly(phase: number): void {
    const poll = (): void => void this.poll().catch((error: unknown) => console.error(error));
    setTimeout(() => {
      poll();
      setInterval(poll, this.#intervalMs);
    }, phase * this.#intervalMs);
  }

  /** Installs the update that the server has, if any. */
  async poll(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      const { _links: links } = (await ask('GET', this.#url)) as PollAnswer;
      if (links['deploymentBase']) await this.#install(links['deploymentBase'].href);
    } finally {
      this.#isBusy = false;
    }
  }

  async #install(href: string): Promise<void> {
    const { id, deployment } = (await ask('GET', href)) as Deployment;
    const feedback = (execution: string, finished: string): Promise<unknown> =>
      ask('POST', `${this.#url}/deploymentBase/${id}/feedback`, {
        id,
        status: { execution, result: { finished }, details: [LOG_LINE] },
      });
    await feedback('proceeding', 'none');
    const [chunk] = deployment.chunks;
    const download = chunk?.artifacts[0]?._links['download'];
    if (download) await ask('GET', download.href);
    await feedback('closed', 'success');
    this.#version = chunk?.version ?? this.#version;
  }

  #describe(): Promise<unknown> {
    const data = { hw_boardname: 'default', hw_revision: 'default', sw_version: this.#version };
    return ask('PUT', `${this.#url}/configData`, { data });
  }
}

/** Each request by a connection of its own, as a device that polls once a minute. */
function ask(method: string, url: string, input?: object): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const headers = { 'content-type': 'application/json' };
  const sent = request(url, { method, headers, agent: false }, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.once('error', reject);
    answer.once('end', () => {
      const text = Buffer.concat(parts).toString();
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode} ${text}`));
      else resolve(text.startsWith('{') ? JSON.parse(text) : text);
    });
  });
  sent.once('error', reject);
  sent.end(input && JSON.stringify(input));
  return promise;
}
