import { sql, type SQL } from 'drizzle-orm';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { runPermissionsFor, type Permission } from '@deviceportal/contract/permissions';
import type { RunApproval } from '@deviceportal/contract/run-approvals';
import { builtinCommands } from '../../../src/commands/catalog/builtin-commands.ts';
import { parametersOf } from './command-parameters.ts';
import type { UserAction } from './history.ts';
import type { UserCalls, ShownDevices } from './user-calls.ts';
import { RolloutActions } from './rollout-actions.ts';
import type { SystemPerson } from './history-users.ts';

export interface RunApprovalGiven {
  readonly runId: string;
  readonly byId: string;
}

/** The actions of the users of a history. */
export class UserActions {
  readonly rollouts: RolloutActions;
  /** Approvals of runs by a second person. */
  readonly approvals: RunApprovalGiven[] = [];
  readonly #calls: UserCalls;

  constructor(calls: UserCalls) {
    this.#calls = calls;
    this.rollouts = new RolloutActions(calls);
  }

  async perform(action: UserAction): Promise<void> {
    const person = this.#calls.person(action.who);
    switch (action.kind) {
      case 'run':
        return this.#run(person, action);
      case 'cancel-run':
        return this.#changeRun(person, 'cancelRun', action.pick);
      case 'pause-run':
        return this.#changeRun(person, 'pauseRun', action.pick);
      case 'resume-run':
        return this.#changeRun(person, 'resumeRun', action.pick);
      case 'cancel-invocation':
        return this.#cancelInvocation(person, action.pick);
      case 'approve-run':
      case 'reject-run':
        return this.#decideRun(person, action);
      case 'rerun':
      case 'undo':
        return this.#repeatRun(person, action);
      case 'plan':
      case 'edit-plan':
        return this.rollouts.plan(person, action);
      case 'next-step':
        return this.rollouts.nextStep(person, action);
      case 'look':
      case 'approve':
      case 'approve-as-seen':
      case 'reject':
        return this.rollouts.review(person, action);
      case 'operate':
        return this.rollouts.operate(person, action);
      case 'ask-role':
        return this.#askRole(person, action);
      case 'grant-role':
      case 'refuse-role':
      case 'end-role':
        return this.#answerRole(person, action);
      case 'suspend':
      case 'restore':
        await this.#calls.do(person, 'access.users.changeStatus', {
          needs: ['access:manage'],
          input: {
            id: this.#calls.person(action.whom).id,
            act: action.kind,
            stopQueued: action.stopQueued,
          },
        });
        return;
      case 'change-roles':
        return this.#changeRoles(person, action);
      case 'lifecycle':
        await this.#calls.do(person, `devices.${action.action}`, {
          needs: ['devices:manage'],
          input: { id: this.#calls.deviceIds([action.device])[0], reason: 'test' },
        });
    }
  }

  async #run(person: SystemPerson, action: UserAction & { kind: 'run' }): Promise<void> {
    const { command, maxConcurrency, maxErrors, timeoutSeconds, whenLocked } = action;
    const target = { kind: 'devices', deviceIds: this.#calls.deviceIds(action.devices) };
    const shown = await this.#preview(person, 'commands.previewTarget', {
      ...{ command, target, whenLocked },
    });
    await this.#calls.once(person, 'commands.run', {
      shown,
      twice: action.twice,
      needs: permissionsFor(command),
      input: {
        ...{ command, target, maxConcurrency, maxErrors, timeoutSeconds, whenLocked },
        parameters: parametersOf[command],
      },
    });
  }

  async #changeRun(
    person: SystemPerson,
    action: 'cancelRun' | 'pauseRun' | 'resumeRun',
    pick: number,
  ): Promise<void> {
    const run = await this.#pickRun(pick);
    if (run === undefined) return;
    await this.#calls.do(person, `commands.${action}`, {
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
    action: UserAction & { kind: 'approve-run' | 'reject-run' },
  ): Promise<void> {
    const run = await this.#pickRun(action.pick, sql`r.state = 'Approval'`);
    if (run === undefined) return;
    const approval = await this.#calls.do<RunApproval>(person, 'commands.getApproval', {
      needs: ['commands:read'],
      input: { id: run.id },
    });
    if (!approval) return;
    const { effectSha256 } = approval;
    const path = action.kind === 'approve-run' ? 'commands.approveRun' : 'commands.rejectRun';
    const answer = await this.#calls.ask(person, path, {
      needs: ['air-blast:approve'],
      input: { id: run.id, effectSha256 },
    });
    // If the server was killed, the decision may be in effect.
    if (action.kind === 'approve-run' && answer.kind !== 'refused')
      this.approvals.push({ runId: run.id, byId: person.id });
  }

  async #repeatRun(
    person: SystemPerson,
    action: UserAction & { kind: 'rerun' | 'undo' },
  ): Promise<void> {
    const run = await this.#pickRun(action.pick);
    if (run === undefined) return;
    const input = { runId: run.id, whenLocked: 'queue' };
    const path = { rerun: 'commands.previewRerun', undo: 'commands.previewUndo' }[action.kind];
    await this.#calls.once(person, `commands.${action.kind}`, {
      shown: await this.#preview(person, path, input),
      twice: action.twice,
      needs: permissionsFor(run.command),
      input,
    });
  }

  /** The devices that the user is shown before the decision. */
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

  async #askRole(person: SystemPerson, action: UserAction & { kind: 'ask-role' }): Promise<void> {
    const roleId = await this.#calls.roleId(action.role);
    await this.#calls.do(person, 'access.accessGrants.ask', {
      needs: [],
      input: { roleId, reason: 'for a test', minutes: action.minutes },
    });
  }

  async #answerRole(
    person: SystemPerson,
    action: UserAction & { kind: 'grant-role' | 'refuse-role' | 'end-role' },
  ): Promise<void> {
    const found = await this.#calls.pick<{ id: string; userId: string }>(
      action.pick,
      sql`select id, user_id as "userId" from access_grant
        where user_id = any(${sql.param(this.#calls.cast.people.map(({ id }) => id))}::uuid[])
          and state in ('waiting', 'running') order by id`,
    );
    if (found === undefined) return;
    const name = { 'grant-role': 'grant', 'refuse-role': 'refuse', 'end-role': 'end' }[action.kind];
    const isOwn = action.kind === 'end-role' && found.userId === person.id;
    await this.#calls.do(person, `access.accessGrants.${name}`, {
      needs: isOwn ? [] : ['access:manage'],
      input: { id: found.id },
    });
  }

  async #changeRoles(
    person: SystemPerson,
    action: UserAction & { kind: 'change-roles' },
  ): Promise<void> {
    const roleId = await this.#calls.roleId(action.role);
    await this.#calls.do(person, 'access.users.changeRoles', {
      needs: ['access:manage'],
      input: { id: this.#calls.person(action.whom).id, [action.add ? 'add' : 'remove']: [roleId] },
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
