import { sql, type SQL } from 'drizzle-orm';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { runPermissionsFor, type Permission } from '@deviceportal/contract/permissions';
import type { RunApproval } from '@deviceportal/contract/run-approvals';
import { builtinCommands } from '../../../src/commands/catalog/builtin-commands.ts';
import { parametersOf } from './command-parameters.ts';
import type { PersonAct } from './history.ts';
import type { PeopleCalls, ShownDevices } from './people-calls.ts';
import { RolloutActs } from './rollout-acts.ts';
import type { SystemPerson } from './system-cast.ts';

export interface RunApprovalGiven {
  readonly runId: string;
  readonly byId: string;
}

/** What the people of a history do. */
export class PeopleActs {
  readonly rollouts: RolloutActs;
  /** Of runs that wait for a second person. */
  readonly approvals: RunApprovalGiven[] = [];
  readonly #calls: PeopleCalls;

  constructor(calls: PeopleCalls) {
    this.#calls = calls;
    this.rollouts = new RolloutActs(calls);
  }

  async act(act: PersonAct): Promise<void> {
    const person = this.#calls.person(act.who);
    switch (act.kind) {
      case 'run':
        return this.#run(person, act);
      case 'cancel-run':
        return this.#changeRun(person, 'cancelRun', act.pick);
      case 'pause-run':
        return this.#changeRun(person, 'pauseRun', act.pick);
      case 'resume-run':
        return this.#changeRun(person, 'resumeRun', act.pick);
      case 'cancel-invocation':
        return this.#cancelInvocation(person, act.pick);
      case 'approve-run':
      case 'reject-run':
        return this.#decideRun(person, act);
      case 'rerun':
      case 'undo':
        return this.#repeatRun(person, act);
      case 'plan':
      case 'edit-plan':
        return this.rollouts.plan(person, act);
      case 'next-step':
        return this.rollouts.nextStep(person, act);
      case 'look':
      case 'approve':
      case 'approve-as-seen':
      case 'reject':
        return this.rollouts.review(person, act);
      case 'operate':
        return this.rollouts.operate(person, act);
      case 'ask-role':
        return this.#askRole(person, act);
      case 'grant-role':
      case 'refuse-role':
      case 'end-role':
        return this.#answerRole(person, act);
      case 'suspend':
      case 'restore':
        await this.#calls.do(person, 'access.users.changeStatus', {
          needs: ['access:manage'],
          input: { id: this.#calls.person(act.whom).id, act: act.kind, stopQueued: act.stopQueued },
        });
        return;
      case 'change-roles':
        return this.#changeRoles(person, act);
      case 'lifecycle':
        await this.#calls.do(person, `devices.${act.act}`, {
          needs: ['devices:manage'],
          input: { id: this.#calls.deviceIds([act.device])[0], reason: 'test' },
        });
    }
  }

  async #run(person: SystemPerson, act: PersonAct & { kind: 'run' }): Promise<void> {
    const { command, maxConcurrency, maxErrors, timeoutSeconds, whenLocked } = act;
    const target = { kind: 'devices', deviceIds: this.#calls.deviceIds(act.devices) };
    const shown = await this.#preview(person, 'commands.previewTarget', {
      ...{ command, target, whenLocked },
    });
    await this.#calls.once(person, 'commands.run', {
      shown,
      twice: act.twice,
      needs: permissionsFor(command),
      input: {
        ...{ command, target, maxConcurrency, maxErrors, timeoutSeconds, whenLocked },
        parameters: parametersOf[command],
      },
    });
  }

  async #changeRun(
    person: SystemPerson,
    act: 'cancelRun' | 'pauseRun' | 'resumeRun',
    pick: number,
  ): Promise<void> {
    const run = await this.#pickRun(pick);
    if (run === undefined) return;
    await this.#calls.do(person, `commands.${act}`, {
      needs: permissionsFor(run.command),
      input: { id: run.id },
    });
  }

  async #cancelInvocation(person: SystemPerson, pick: number): Promise<void> {
    const found = await this.#calls.pick<{ id: string; command: string }>(
      pick,
      sql`select i.id, r.command from invocation i join command_run r on r.id = i.run_id
        where i.device_id = any(${this.#calls.deviceParam()}) order by i.id`,
    );
    if (found === undefined) return;
    await this.#calls.do(person, 'commands.cancelInvocation', {
      needs: permissionsFor(found.command),
      input: { id: found.id },
    });
  }

  async #decideRun(
    person: SystemPerson,
    act: PersonAct & { kind: 'approve-run' | 'reject-run' },
  ): Promise<void> {
    const run = await this.#pickRun(act.pick, sql`r.state = 'Approval'`);
    if (run === undefined) return;
    const approval = await this.#calls.do<RunApproval>(person, 'commands.getApproval', {
      needs: ['commands:read'],
      input: { id: run.id },
    });
    if (!approval) return;
    const { effectSha256 } = approval;
    const path = act.kind === 'approve-run' ? 'commands.approveRun' : 'commands.rejectRun';
    const answer = await this.#calls.ask(person, path, {
      needs: ['air-blast:approve'],
      input: { id: run.id, effectSha256 },
    });
    // Where the server died, it may hold all the same.
    if (act.kind === 'approve-run' && answer.kind !== 'refused')
      this.approvals.push({ runId: run.id, byId: person.id });
  }

  async #repeatRun(
    person: SystemPerson,
    act: PersonAct & { kind: 'rerun' | 'undo' },
  ): Promise<void> {
    const run = await this.#pickRun(act.pick);
    if (run === undefined) return;
    const input = { runId: run.id, whenLocked: 'queue' };
    const path = { rerun: 'commands.previewRerun', undo: 'commands.previewUndo' }[act.kind];
    await this.#calls.once(person, `commands.${act.kind}`, {
      shown: await this.#preview(person, path, input),
      twice: act.twice,
      needs: permissionsFor(run.command),
      input,
    });
  }

  /** Which devices the person is shown before the decision. */
  async #preview(
    person: SystemPerson,
    path: string,
    input: object,
  ): Promise<ShownDevices | undefined> {
    const preview = await this.#calls.do<TargetPreview>(person, path, {
      needs: ['commands:read'],
      input,
    });
    if (preview === undefined) return undefined;
    const { sha256, count, sample } = preview;
    const confirmation = count === 1 ? (sample[0]?.serialNumber ?? '') : String(count);
    return { targetSha256: sha256, targetCount: count, confirmation };
  }

  async #askRole(person: SystemPerson, act: PersonAct & { kind: 'ask-role' }): Promise<void> {
    const roleId = await this.#calls.roleId(act.role);
    await this.#calls.do(person, 'access.accessGrants.ask', {
      needs: [],
      input: { roleId, reason: 'for a test', minutes: act.minutes },
    });
  }

  async #answerRole(
    person: SystemPerson,
    act: PersonAct & { kind: 'grant-role' | 'refuse-role' | 'end-role' },
  ): Promise<void> {
    const found = await this.#calls.pick<{ id: string; userId: string }>(
      act.pick,
      sql`select id, user_id as "userId" from access_grant
        where user_id = any(${sql.param(this.#calls.cast.people.map(({ id }) => id))}::uuid[])
          and state in ('waiting', 'running') order by id`,
    );
    if (found === undefined) return;
    const name = { 'grant-role': 'grant', 'refuse-role': 'refuse', 'end-role': 'end' }[act.kind];
    const isOwn = act.kind === 'end-role' && found.userId === person.id;
    await this.#calls.do(person, `access.accessGrants.${name}`, {
      needs: isOwn ? [] : ['access:manage'],
      input: { id: found.id },
    });
  }

  async #changeRoles(
    person: SystemPerson,
    act: PersonAct & { kind: 'change-roles' },
  ): Promise<void> {
    const roleId = await this.#calls.roleId(act.role);
    await this.#calls.do(person, 'access.users.changeRoles', {
      needs: ['access:manage'],
      input: { id: this.#calls.person(act.whom).id, [act.add ? 'add' : 'remove']: [roleId] },
    });
  }

  async #pickRun(
    pick: number,
    where: SQL = sql`true`,
  ): Promise<{ id: string; command: string } | undefined> {
    return this.#calls.pick(
      pick,
      sql`select r.id, r.command from command_run r join invocation i on i.run_id = r.id
        where i.device_id = any(${this.#calls.deviceParam()}) and ${where} group by r.id order by r.id`,
    );
  }
}

function permissionsFor(command: string): Permission[] {
  const known = builtinCommands.find((one) => one.command === command);
  return known ? runPermissionsFor(command, known.consequence) : [];
}
