import { urlOf, type GooseBitPlace } from './goosebit-place.ts';

/** A signed-in user of gooseBit. */
export interface GooseBitClient {
  /** @returns ID of the software */
  upload(name: string, image: Uint8Array<ArrayBuffer>): Promise<number>;
  createRollout(softwareId: number): Promise<void>;
  /** What the page of devices requests. */
  listPage(length: number): Promise<number>;
  /** By the API, which has no pages. */
  listAll(): Promise<number>;
}

export async function openGooseBitClient(place: GooseBitPlace): Promise<GooseBitClient> {
  const url = urlOf(place);
  const form = new URLSearchParams({ username: 'bench@example.test', password: 'Bench-account-1' });
  const { access_token: token } = await answerOf<{ access_token: string }>(
    await fetch(`${url}/setup`, { method: 'POST', body: form }),
  );
  const authorization = `Bearer ${token}`;
  const send = async <Answer>(method: string, path: string, input?: object): Promise<Answer> =>
    answerOf(
      await fetch(url + path, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(input && { body: JSON.stringify(input) }),
      }),
    );
  return {
    async upload(name, image) {
      const body = new FormData();
      body.append('file', new Blob([image]), name);
      const headers = { authorization };
      const reply = await fetch(`${url}/api/v1/software`, { method: 'PUT', headers, body });
      return (await answerOf<{ id: number }>(reply)).id;
    },
    async createRollout(softwareId) {
      const rollout = { name: 'bench', feed: 'default', software_id: softwareId };
      await send('PUT', '/api/v1/rollouts', rollout);
    },
    async listPage(length) {
      const question = { draw: 1, start: 0, length, order: [{ name: 'id', dir: 'asc' }] };
      return (await send<{ data: unknown[] }>('POST', '/ui/bff/devices', question)).data.length;
    },
    async listAll() {
      return (await send<{ devices: unknown[] }>('GET', '/api/v1/devices')).devices.length;
    },
  };
}

async function answerOf<Answer>(reply: Response): Promise<Answer> {
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Answer;
}
