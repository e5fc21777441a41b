import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCaseInput } from '@deviceportal/contract/cases';
import type { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { defaultRunRules } from '@deviceportal/contract/run-rules';
import type { RefusalReason, refusals } from '@deviceportal/contract/refusals';
import { takeOver } from '../../../src/air-blast/change-operator.ts';
import { pauseAirBlast } from '../../../src/air-blast/operate-air-blast.ts';
import { addCaseNote } from '../../../src/cases/add-case-note.ts';
import { openCase } from '../../../src/cases/open-case.ts';
import { reopenCase } from '../../../src/cases/reopen-case.ts';
import { approveRun, rejectRun } from '../../../src/commands/approval/decide-run.ts';
import { saveRunRules } from '../../../src/commands/approval/run-rules.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { createSchedule } from '../../../src/commands/schedules/create-schedule.ts';
import { resumeSchedule } from '../../../src/commands/schedules/resume-schedule.ts';
import { approveReEnrollment } from '../../../src/devices/re-enrollment/decide-re-enrollment.ts';
import { undoRun } from '../../../src/commands/undo/undo-run.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { openReport } from '../../../src/reports/get-report.ts';
import { openTerminal } from '../../../src/terminals/open-terminal.ts';
import { approveSoftware } from '../../../src/versions/approve-software.ts';
import { changeSoftwareState } from '../../../src/versions/change-software-state.ts';
import { registerSoftware } from '../../../src/versions/register-software.ts';
import { callerIn, seedPerson } from '../../cases/case-fixture.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../../support/air-blast/air-blast-fixture.ts';
import {
  nothingShown,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerHolding,
  viewerWith,
} from '../../support/command-fixture.ts';
import { createReportFixture, type ReportFixture } from '../../support/report-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

/** Kinds of facts that name an object. */
type Thing =
  | 'command'
  | 'component'
  | 'country'
  | 'device'
  | 'document'
  | 'id'
  | 'model'
  | 'parameter'
  | 'role'
  | 'user'
  | 'version';

/** Every reason with a fact that names an object: a missing one does not compile. */
type NamingReason = {
  [Reason in RefusalReason]: Extract<
    (typeof refusals)[Reason]['facts'][keyof (typeof refusals)[Reason]['facts']],
    Thing
  > extends never
    ? never
    : Reason;
}[RefusalReason];

/** Sent by the caller, or visible to everyone who can make the call: without a scope. */
type WithoutScope = 'sent by the caller' | 'visible to all who may call';

interface WithinScope {
  /** The viewer for whom the object exists, if not every administrator. */
  readonly inside?: Viewer;
  /** Creates an object whose use is rejected, and returns the call. */
  readonly prepare: () => Promise<(viewer: Viewer) => Promise<unknown>>;
  /** If the call names the object: that it does not exist. If it names none: the missing permission. */
  readonly outside:
    | 'deviceNotFound'
    | 'invalidParameters'
    | 'invocationNotFound'
    | 'noPermission'
    | 'notFound';
}

const SECRET = 'Quince';
const poland: Scope = { countries: ['PL'], models: [], labels: {} };
const administrator = { ...viewerWith('Administrator'), username: `${SECRET}@example.com` };
const colleague = viewerWith('Administrator', everywhere);
const inPoland = viewerWith('Administrator', poland);

let db: TestDatabase;
let fixture: AirBlastFixture;
let reports: ReportFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createAirBlastFixture(db.database);
  reports = await createReportFixture(db.database);
  await reports.signUp(administrator);
});
afterAll(async () => {
  await reports[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const seed = (over: object = {}): Promise<string[]> =>
  seedDevices(db.database, [{ name: `${SECRET} lobby`, country: 'DE', model: SECRET, ...over }]);

const restart = (deviceIds: readonly string[]) =>
  runInput({ command: 'restart/device', target: { kind: 'devices', deviceIds: [...deviceIds] } });

async function runOnGermany(): Promise<string> {
  const { id } = await runCommand(fixture.deps, administrator, restart(await seed()));
  return id;
}

async function rollout(): Promise<string> {
  return (await fixture.plan(administrator, await seed())).id;
}

async function schedule(): Promise<string> {
  const deviceIds = await seed();
  const { idempotencyKey: _key, ...run } = restart(deviceIds);
  const made = await createSchedule(fixture.deps, administrator, {
    ...{ ...run, target: { kind: 'devices', deviceIds }, id: newId(), name: SECRET },
    ...{ confirmation: '', missed: 'skip', freeze: false },
    times: { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' },
  });
  await db.database.orm.execute(
    sql`update run_schedule set signed_authorization = null where id = ${made.id}`,
  );
  return made.id;
}

const asNew = (personId: string, ticket: string) =>
  openCaseInput.parse({ personId, ticket, about: SECRET });

async function openedCase(): Promise<{ readonly id: string; readonly personId: string }> {
  const { id: personId } = await seedPerson(db.database, SECRET, ['DE']);
  const { id } = await openCase(fixture.deps, callerIn(administrator), asNew(personId, 'T-1'));
  return { id, personId };
}

async function closedCase(): Promise<{ readonly id: string; readonly personId: string }> {
  const { id, personId } = await openedCase();
  await db.database.orm.execute(sql`
    update support_case set state = 'closed', closed_at = portal_now(), outcome = 'resolved' where id = ${id}`);
  return { id, personId };
}

const decision = (id: string) => ({ id, effectSha256: 'a'.repeat(64), comment: '', origin });
const undo = (runId: string) => ({
  ...{ runId, deviceId: null, agreement: nothingShown, confirmation: '', comment: '', origin },
  idempotencyKey: randomUUID(),
});

const table: Record<NamingReason, WithinScope | WithoutScope> = {
  'device-takes-no-commands': {
    outside: 'deviceNotFound',
    prepare: async () => {
      const ids = await seed({ lifecycle: 'suspended' });
      return (viewer) => runCommand(fixture.deps, viewer, restart(ids));
    },
  },
  'command-needs-agent': {
    outside: 'deviceNotFound',
    prepare: async () => {
      const ids = await seed({ engine: 'ssm' });
      const input = { ...restart(ids), command: 'restart/agent' };
      return (viewer) => runCommand(fixture.deps, viewer, input);
    },
  },
  'ssm-agent-too-old': {
    outside: 'deviceNotFound',
    prepare: async () => {
      const ids = await seed({ engine: 'ssm' });
      const input = { ...restart(ids), command: 'network/ping' };
      return (viewer) => runCommand(fixture.deps, viewer, input);
    },
  },
  'lock-held': {
    outside: 'deviceNotFound',
    prepare: async () => {
      const ids = await seed();
      await runCommand(fixture.deps, administrator, restart(ids));
      return (viewer) => runCommand(fixture.deps, viewer, { ...restart(ids), whenLocked: 'ask' });
    },
  },
  'target-changed': {
    outside: 'deviceNotFound',
    prepare: async () => {
      const [shown, grown] = [await seed(), await seed()];
      const agreement = shownDevices(shown);
      const input = { ...restart([...shown, ...grown]), agreement };
      return (viewer) => runCommand(fixture.deps, viewer, input);
    },
  },
  'run-not-awaiting-approval': {
    outside: 'invocationNotFound',
    prepare: async () => {
      const id = await runOnGermany();
      return (viewer) => rejectRun(fixture.deps, viewer, decision(id));
    },
  },
  'approval-changed': {
    outside: 'invocationNotFound',
    prepare: async () => {
      const caller = callerIn(administrator);
      const rule = { consequence: 'disrupts', approvalFrom: 2, airBlastFrom: null } as const;
      const others = defaultRunRules.filter(({ consequence }) => consequence !== rule.consequence);
      await saveRunRules(fixture.deps, caller, [...others, rule]);
      const run = restart([...(await seed()), ...(await seed())]);
      const { id } = await runCommand(fixture.deps, administrator, run);
      await saveRunRules(fixture.deps, caller, defaultRunRules);
      return (viewer) => approveRun(fixture.deps, viewer, decision(id));
    },
  },
  'cannot-be-undone': {
    outside: 'invocationNotFound',
    prepare: async () => {
      const id = await runOnGermany();
      return (viewer) => undoRun(fixture.deps, viewer, undo(id));
    },
  },
  'rollout-not-offered': {
    outside: 'notFound',
    prepare: async () => {
      const id = await rollout();
      return (viewer) => takeOver(fixture.deps, viewer, { id, origin });
    },
  },
  'rollout-of-other-operator': {
    outside: 'notFound',
    prepare: async () => {
      const id = await rollout();
      return (viewer) => pauseAirBlast(fixture.deps, viewer, { id, reason: '', origin });
    },
  },
  'case-closed': {
    outside: 'notFound',
    prepare: async () => {
      const { id } = await closedCase();
      return (viewer) => addCaseNote(fixture.deps, callerIn(viewer), { id, text: 'x' });
    },
  },
  'another-case-open': {
    outside: 'notFound',
    prepare: async () => {
      const { id, personId } = await closedCase();
      await openCase(fixture.deps, callerIn(administrator), asNew(personId, 'T-2'));
      return (viewer) => reopenCase(fixture.deps, callerIn(viewer), id);
    },
  },
  'authorization-missing': {
    outside: 'notFound',
    prepare: async () => {
      const id = await schedule();
      return (viewer) => resumeSchedule(fixture.deps, viewer, { id, origin });
    },
  },
  'schedule-not-shown': {
    outside: 'notFound',
    prepare: async () => {
      const id = await schedule();
      return (viewer) => resumeSchedule(fixture.deps, viewer, { id, sign: true, origin });
    },
  },
  'schedule-changed': {
    outside: 'notFound',
    prepare: async () => {
      const input = { id: await schedule(), sign: true, shownSha256: 'a'.repeat(64), origin };
      return (viewer) => resumeSchedule(fixture.deps, viewer, input);
    },
  },
  're-enrollment-decided': {
    // The response to an unknown ID.
    outside: 'invalidParameters',
    prepare: async () => {
      const [deviceId] = await seed();
      const id = randomUUID();
      await db.database.orm.execute(sql`
        insert into re_enrollment_request (device_id, id, key_fingerprint, machine, expires_at, decision)
        values (${deviceId}, ${id}, 'SHA256:x', '{}', portal_now() + interval '1 hour', 'approved')`);
      const deps = { ...fixture.deps, installCommand: async () => '' };
      return (viewer) => approveReEnrollment(deps, callerIn(viewer), { id });
    },
  },
  'report-not-ready': {
    outside: 'notFound',
    inside: administrator,
    prepare: async () => {
      const person = await seedPerson(db.database, SECRET, ['DE']);
      const id = await reports.request(administrator, { personId: person.id });
      return (viewer) => openReport(reports.deps, callerIn(viewer), id);
    },
  },
  'version-still-approved': {
    outside: 'noPermission',
    prepare: async () => {
      const version = { component: 'firmware', version: '1.0.0' };
      const caller = callerIn(administrator);
      await registerSoftware(fixture.deps, caller, {
        ...{ ...version, models: [], channel: 'stable', releasedAt: null, notes: '' },
      });
      const approved = { ...version, state: 'approved', reason: '' } as const;
      await changeSoftwareState(fixture.deps, caller, approved);
      const target = { ...version, model: SECRET, country: 'DE', mandatoryFrom: null };
      await approveSoftware(fixture.deps, caller, target);
      const input = { ...version, state: 'deprecated', reason: '' } as const;
      return (viewer) => changeSoftwareState(fixture.deps, callerIn(viewer), input);
    },
  },
  'terminal-forbidden': {
    outside: 'deviceNotFound',
    inside: viewerHolding([{ permissions: ['terminal:open'], scope: everywhere }]),
    prepare: async () => {
      const [deviceId = ''] = await seed();
      await db.database.orm.execute(sql`
        insert into terminal_model_consent (model, consent, changed_by_id, changed_by)
        values (${SECRET}, 'forbidden', ${newId()}, '') on conflict do nothing`);
      const deps = {
        ...fixture.deps,
        terminalLines: { send() {} },
        signRecordingUrl: () => '',
      };
      const input = { deviceId, reason: 'a reason', columns: 80, rows: 24 };
      return (viewer) => openTerminal(deps, callerIn(viewer), input);
    },
  },
  'approval-out-of-reach': 'sent by the caller',
  'component-unknown': 'sent by the caller',
  'terminal-consent-out-of-reach': 'sent by the caller',
  'document-name-reserved': 'sent by the caller',
  'document-name-taken': 'sent by the caller',
  'document-not-chosen': 'sent by the caller',
  'version-file-fixed': 'sent by the caller',
  'version-not-approvable': 'sent by the caller',
  'version-not-approved': 'sent by the caller',
  'version-registered': 'sent by the caller',
  'version-state-refuses': 'sent by the caller',
  'document-changed': 'visible to all who may call',
  'document-deprecated': 'visible to all who may call',
  'document-not-active': 'visible to all who may call',
  'document-state-refuses': 'visible to all who may call',
  'documents-too-large': 'visible to all who may call',
  'provider-role-of-portal': 'visible to all who may call',
  'role-built-in': 'visible to all who may call',
  'role-gone': 'visible to all who may call',
  'role-out-of-reach': 'visible to all who may call',
  'store-parameter-missing': 'visible to all who may call',
  'store-parameter-not-secret': 'visible to all who may call',
  'sub-document-loop': 'visible to all who may call',
  'sub-document-missing': 'visible to all who may call',
  'sub-document-too-deep': 'visible to all who may call',
  'version-in-review': 'visible to all who may call',
  'version-is-default': 'visible to all who may call',
};

const scoped = Object.entries(table).filter(
  (row): row is [string, WithinScope] => typeof row[1] !== 'string',
);

test.each(scoped)(
  '%s reveals nothing outside the scope',
  async (reason, { prepare, outside, inside = colleague }) => {
    const call = await prepare();
    const refused = await call(inPoland).then(
      () => ({}),
      (error: unknown) => error as PortalError,
    );
    expect(refused).toMatchObject({ errorName: outside });
    const { message, facts, issues } = refused as PortalError;
    expect(JSON.stringify([message, facts, issues]).toLowerCase()).not.toContain(
      SECRET.toLowerCase(),
    );
    // The same call is rejected for this reason if the object is visible.
    await expect(call(inside)).rejects.toMatchObject({ reason });
  },
);
