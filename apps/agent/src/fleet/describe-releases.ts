/** Released and approved versions of the simulated fleet's company, derived from the catalog. */

import { kernelVersions, models, systemVersions, type DeviceModel } from './fleet-catalog.ts';

export interface ReleasePlan {
  readonly component: string;
  readonly version: string;
  /** Empty for all. */
  readonly models: readonly string[];
  readonly channel: 'stable' | 'beta';
  readonly state: 'draft' | 'approved' | 'deprecated' | 'blocked';
  readonly releasedDaysAgo: number | null;
  readonly notes: string;
  /** The file that devices install; null if there is none. */
  readonly file: ReleaseFile | null;
}

export interface ReleaseFile {
  readonly name: string;
  readonly content: string;
}

export interface ApprovalPlan {
  readonly component: string;
  readonly version: string;
  readonly model: string;
  /** `*` for all. */
  readonly country: string;
  readonly approvedDaysAgo: number;
  readonly mandatoryInDays: number | null;
}

/** Age of the newest version, of the one before it, and so on. */
const releaseAgesDays = [21, 66, 160, 330] as const;
export const releaseAgeDays = (position: number): number =>
  releaseAgesDays[position] ?? releaseAgesDays[3];

/**
 * Countries in which a model's application is not approved yet: a terminal requires certification,
 * a display a translation.
 */
const heldBack: readonly { readonly model: string; readonly country: string }[] = [
  { model: 'T100', country: 'DE' },
  { model: 'T100', country: 'FR' },
  { model: 'D55', country: 'CN' },
];
/** Oldest versions, which are known to be harmful. */
const harmful: Readonly<Record<string, string>> = {
  payment: 'Loses receipts when the network fails during a payment.',
};
/** Whether the oldest version of this application is blocked. */
export const isOldestHarmful = (service: string): boolean => harmful[service] !== undefined;

const NEXT_KIOSK = '4.3.0-beta.1';
export const FIRMWARE = ['1.8.0', '1.7.2'] as const;
/** The model whose new firmware is not approved yet. */
const FIRMWARE_WAITS = 'S12';

export function describeReleases(): {
  readonly releases: readonly ReleasePlan[];
  readonly approvals: readonly ApprovalPlan[];
} {
  const byService = Map.groupBy(models, ({ service }) => service);
  return {
    releases: [
      ...[...byService.values()].flatMap(applicationReleases),
      ...systemReleases(),
      beta('kiosk-ui', NEXT_KIOSK),
    ],
    approvals: models.flatMap(approvalsOf),
  };
}

function applicationReleases(built: readonly DeviceModel[]): ReleasePlan[] {
  const [first] = built;
  if (first === undefined) return [];
  const versions = [...new Set(built.flatMap(({ applicationVersions }) => applicationVersions))];
  return versions.map((version, position) => {
    const isOldest = position === versions.length - 1;
    const harm = isOldest ? harmful[first.service] : undefined;
    return {
      component: first.service,
      version,
      models: built.map(({ model }) => model),
      channel: 'stable',
      state: harm === undefined ? stateOf(position) : 'blocked',
      releasedDaysAgo: releaseAgeDays(position),
      notes: harm ?? '',
      file: harm === undefined ? fileOf(first.service, version) : null,
    };
  });
}

/** The newest two are active, older ones are deprecated. */
const stateOf = (position: number): ReleasePlan['state'] =>
  position < 2 ? 'approved' : 'deprecated';

function systemReleases(): ReleasePlan[] {
  const plans = [
    ...FIRMWARE.map((version, position) => ['firmware', version, position] as const),
    ...systemVersions.map((version, position) => ['os', `Debian ${version}`, position] as const),
    ...systemVersions.map(
      (version, position) => ['kernel', kernelVersions[version] ?? version, position] as const,
    ),
  ];
  return plans.map(([component, version, position]) => ({
    component,
    version,
    models: [],
    channel: 'stable',
    state: stateOf(position),
    releasedDaysAgo: releaseAgeDays(position),
    notes: '',
    // The operating system and its kernel come from the distribution.
    file: component === 'firmware' ? fileOf(component, version) : null,
  }));
}

const beta = (component: string, version: string): ReleasePlan => ({
  component,
  version,
  models: [],
  channel: 'beta',
  state: 'draft',
  releasedDaysAgo: null,
  notes: 'Tried in the early ring.',
  file: null,
});

/** A minimal but complete program that prints its version. */
const fileOf = (component: string, version: string): ReleaseFile => ({
  name: `${component}-${version}.sh`,
  content: `#!/bin/sh\n# As the company of the simulated fleet ships it.\necho '${component} ${version}'\n`,
});

function approvalsOf({ model, service, applicationVersions }: DeviceModel): ApprovalPlan[] {
  const [newest, before] = applicationVersions;
  const [system] = systemVersions;
  const everywhere = {
    model,
    country: '*',
    approvedDaysAgo: releaseAgeDays(0) - 2,
    mandatoryInDays: null,
  };
  return [
    { ...everywhere, component: service, version: newest, mandatoryInDays: -7 },
    ...heldBack
      .filter((held) => held.model === model)
      .map(({ country }) => ({
        ...everywhere,
        component: service,
        version: before,
        country,
        approvedDaysAgo: releaseAgeDays(1) - 3,
      })),
    {
      ...everywhere,
      component: 'firmware',
      version: model === FIRMWARE_WAITS ? FIRMWARE[1] : FIRMWARE[0],
      mandatoryInDays: model === FIRMWARE_WAITS ? null : 14,
    },
    { ...everywhere, component: 'os', version: `Debian ${system}` },
    { ...everywhere, component: 'kernel', version: kernelVersions[system] ?? '' },
  ];
}
