import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type { RunDetail } from '@deviceportal/contract/runs';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import type { Page } from '@deviceportal/contract/pages';
import { until } from './until.ts';
import { mutate, query, signIn, type ApiAnswer } from './portal-api.ts';
import type { AgentProgram } from './programs/portal-programs.ts';

/** A command on one device, as known to its sender. */
export interface SentCommand {
  readonly runId: string;
  readonly invocationId: string;
  readonly deviceId: string;
}

/** The events of the audit trail for a command that ended normally, whatever was killed in the meantime. */
export const toldOnce = {
  'command.requested': 1,
  'command.sent': 1,
  'command.started': 1,
  'command.finished': 1,
};

/** A user, by default the administrator, through the product API as used by the portal in a browser. */
export class PortalPerson {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** @param token the ID token of a sign-in */
  static signedIn(url: string, token: string): PortalPerson {
    return new PortalPerson(url, token);
  }

  static async signIn(url: string, who = 'admin'): Promise<PortalPerson> {
    return new PortalPerson(url, await signIn(url, `${who}@deviceportal.local`));
  }

  ask(path: string, input: unknown): Promise<ApiAnswer> {
    return query(this.#url, { path, input, token: this.#token });
  }

  order(path: string, input: unknown): Promise<ApiAnswer> {
    return mutate(this.#url, { path, input, token: this.#token });
  }

  /** @throws with the whole response if it is an error */
  async mustAsk<Data>(path: string, input: unknown): Promise<Data> {
    return dataOf(await this.ask(path, input));
  }

  /** @throws with the whole response if it is an error */
  async mustOrder<Data>(path: string, input: unknown): Promise<Data> {
    return dataOf(await this.order(path, input));
  }

  async createClaim(name: string): Promise<string> {
    const device = { serialNumber: `FAULT-${name.toUpperCase()}-01`, name };
    const { token } = dataOf<{ token: string }>(
      await this.order('devices.createClaim', { device }),
    );
    return token;
  }

  /** Resolves with the device id when the portal shows the agent's device as connected. */
  async untilOnline(agent: Pick<AgentProgram, 'identity'>): Promise<string> {
    const { deviceId } = await agent.identity();
    await until(async () => {
      const answer = await this.ask('devices.get', { device: deviceId }).catch(() => undefined);
      return (answer?.data as DeviceDetail | undefined)?.connectivity === 'online';
    }, 40_000);
    return deviceId;
  }

  async runShell(
    deviceId: string,
    script: string,
    options: { readonly timeoutSeconds?: number } = {},
  ): Promise<SentCommand> {
    const { id: runId } = await this.runShellOn([deviceId], script, options);
    const invocationId = await until(async () => (await this.run(runId)).invocationId);
    return { runId, invocationId, deviceId };
  }

  async runShellOn(
    deviceIds: readonly string[],
    script: string,
    options: { readonly timeoutSeconds?: number; readonly maxConcurrency?: string } = {},
  ): Promise<RunDetail> {
    const command = { command: 'shell', target: { kind: 'devices', deviceIds } };
    const shown = dataOf<TargetPreview>(await this.ask('commands.previewTarget', command));
    return dataOf(
      await this.order('commands.run', {
        ...command,
        targetSha256: shown.sha256,
        targetCount: shown.count,
        parameters: { script },
        idempotencyKey: randomUUID(),
        ...options,
      }),
    );
  }

  async run(id: string): Promise<RunDetail> {
    return dataOf(await this.ask('commands.getRun', { id }));
  }

  async invocation({ invocationId }: SentCommand): Promise<InvocationDetail> {
    return dataOf(await this.ask('commands.getInvocation', { id: invocationId }));
  }

  /** Resolves when this text of the output has arrived. */
  async untilOutput(sent: SentCommand, text: string): Promise<void> {
    await until(async () => (await this.invocation(sent)).stdout.text.includes(text), 15_000);
  }

  /** Resolves with the ended invocation; retries failed calls. */
  async untilEnded(sent: SentCommand): Promise<InvocationDetail> {
    return until(async () => {
      const invocation = await this.invocation(sent).catch(() => undefined);
      return invocation?.endedAt !== null && invocation;
    }, 60_000);
  }

  async auditTrail(filter: object): Promise<AuditEvent[]> {
    return dataOf<Page<AuditEvent>>(await this.ask('auditTrail.list', { filter }))
      .rows as AuditEvent[];
  }

  /** Number of events for each step of the command in the audit trail, and gaps in its device's journal. */
  async countTold({ runId, deviceId }: SentCommand): Promise<Record<string, number>> {
    const steps = await this.auditTrail({ runId });
    const holes = await this.auditTrail({ deviceId, types: ['device.journal-gap'] });
    return countSteps([...steps, ...holes]);
  }
}

/** Number of events for each step; one event can contain two steps. */
export function countSteps(
  events: readonly Pick<AuditEvent, 'type' | 'data'>[],
): Record<string, number> {
  const told = events.flatMap(({ type, data }) => [type, ...foldedIn(type, data)]);
  return Object.fromEntries(
    [...Map.groupBy(told, (type) => type)].map(([type, found]) => [type, found.length]),
  );
}

/** Changes of an invocation in one transaction are one event. */
function foldedIn(type: string, data: AuditEvent['data']): string[] {
  if (type === 'command.requested' && 'sentAt' in data) return ['command.sent'];
  if (type === 'command.finished' && 'startedAt' in data) return ['command.started'];
  return [];
}

function dataOf<Data>(answer: ApiAnswer): Data {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.data as Data;
}
