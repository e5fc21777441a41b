import type { Page } from 'playwright-core';
import type { BackupsView } from '@deviceportal/contract/backups';
import { outsideSystems } from './outside-systems.ts';

/** Changes the responses of a procedure for the portal, to simulate another fleet. */
async function changeAnswers(
  page: Page,
  procedure: string,
  [from, to]: readonly [RegExp, string],
): Promise<void> {
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/trpc/') && pathname.includes(procedure),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(from, to);
      await route.fulfill({ response, body });
    },
  );
}

/** Simulates a fleet without agents that check signatures. */
export async function withoutSignatureChecks(page: Page): Promise<void> {
  await changeAnswers(page, 'devices.get', [
    /"checksSignatures":true/g,
    '"checksSignatures":false',
  ]);
  for (const procedure of ['commands.previewTarget', 'airBlast.get'])
    await changeAnswers(page, procedure, [/"unchecked":\d+/g, '"unchecked":3']);
}

/** Replaces the result of a query of the portal. */
const answerWith = (page: Page, procedure: string, data: unknown): Promise<void> =>
  answersWith(page, { [procedure]: data });

/** The same for several queries, which can be parts of one request. */
async function answersWith(page: Page, answers: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route(
    ({ pathname }) =>
      pathname.startsWith('/api/trpc/') &&
      Object.keys(answers).some((procedure) => pathname.includes(procedure)),
    async (route) => {
      const response = await route.fetch();
      const procedures =
        new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? [];
      const body = (await response.json()) as { result?: unknown }[];
      for (const [procedure, json] of Object.entries(answers)) {
        const at = procedures.indexOf(procedure);
        if (body[at] !== undefined) body[at] = { result: { data: { json } } };
      }
      await route.fulfill({ response, json: body });
    },
  );
}

/** Simulates an installation whose data sources are outside it, in every state. */
export const withOutsideSystems = (page: Page): Promise<void> =>
  answerWith(page, 'dataSources.list', outsideSystems());

/** Simulates an installation with these backups. */
export const withBackups = (page: Page, backups: BackupsView): Promise<void> =>
  answerWith(page, 'backups.get', backups);

/** Simulates an installation on which nothing was set up yet. */
export const withNothingSetUp = (page: Page): Promise<void> =>
  answerWith(page, 'installation.getSetup', {
    ...{ device: false, users: false, roles: false },
    ...{ command: false, backups: false, messages: false },
  });

/** Simulates a fleet with a history: 30 days of connectivity, findings, and results of runs. */
export async function withTrends(page: Page): Promise<void> {
  const days = Array.from(
    { length: 30 },
    (_each, index) => new Date(Date.UTC(2026, 9, 22 + index)),
  );
  await answersWith(page, {
    'findings.trend': {
      points: days.map((day, index) => ({
        at: new Date(day.getTime() + 12 * 3_600_000).toISOString(),
        ...{ devices: 100, online: 61 + index, withFindings: 40 - index },
      })),
    },
    'commands.runTrend': {
      days: days.map((day, index) => ({
        day: day.toISOString().slice(0, 10),
        ...{ succeeded: 10 + index, failed: index % 3 },
      })),
    },
  });
}

/** Simulates a finding of the shown device whose remedy is this command. */
export async function withRemedy(page: Page, command: string): Promise<void> {
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/trpc/') && pathname.includes('devices.get'),
    async (route) => {
      const response = await route.fetch();
      const procedures =
        new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? [];
      const body = (await response.json()) as { result?: { data: { json: object } } }[];
      const data = body[procedures.indexOf('devices.get')]?.result?.data;
      if (data !== undefined) {
        const verdict = { code: 'disk-full', severity: 'error', facts: { percent: 97 } };
        data.json = { ...data.json, verdicts: [{ ...verdict, suggestedCommand: command }] };
      }
      await route.fulfill({ response, json: body });
    },
  );
}

/** Simulates a reason whose action is a command on a device. */
export const withReasonToRun = (
  page: Page,
  on: { readonly command: string; readonly deviceId: string },
): Promise<void> =>
  answerWith(page, 'explanations.explain', [
    {
      about: null,
      reasons: [
        {
          ...{
            code: 'device-offline',
            facts: { device: 'd', reason: null },
            since: null,
            until: null,
          },
          act: { kind: 'run-command', on, lacks: null },
        },
      ],
    },
  ]);

/** Simulates a rollout that is waiting for the user. */
export async function withStalledRollout(page: Page, name: string): Promise<void> {
  const at = '2026-11-20T12:00:00.000Z';
  await answerWith(page, 'airBlast.list', {
    rows: [
      {
        ...{ id: '019aa0f0-0000-7000-8000-000000000001', name, operatorId: 'o', operator: 'Ana' },
        ...{ state: 'canary', step: 'canary', stepState: 'done', change: 'firmware 2.0' },
        ...{
          consequence: 'disrupts',
          targetCount: 25,
          createdAt: at,
          updatedAt: at,
          endedAt: null,
        },
      },
    ],
    nextCursor: null,
  });
}
