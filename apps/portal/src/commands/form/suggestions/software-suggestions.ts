import type { DeviceDetail } from '@deviceportal/contract/devices';
import type {
  ComponentSummary,
  InstalledVersion,
  SoftwareVersionRow,
  VersionChange,
} from '@deviceportal/contract/versions';

export interface Suggestion {
  readonly value: string;
  readonly description?: string;
}

export type Suggestions = readonly {
  readonly label: string;
  readonly options: readonly Suggestion[];
}[];

type ChosenDevice = Pick<DeviceDetail, 'model' | 'software'>;

export interface ComponentSources {
  /** The device on which the command runs, if it is a single one. */
  readonly device: ChosenDevice | undefined;
  readonly components: readonly ComponentSummary[];
}

export interface ComponentLabels {
  readonly onDevice: string;
  readonly others: string;
}

/** Components of the device with their versions, then the others that the portal knows. */
export function componentSuggestions(
  { device, components }: ComponentSources,
  labels: ComponentLabels,
): Suggestions {
  const own = device?.software ?? [];
  const isOwn = new Set(own.map(({ component }) => component));
  return filled([
    {
      label: labels.onDevice,
      options: own.map(({ component, version }) => ({ value: component, description: version })),
    },
    {
      label: labels.others,
      options: components
        .filter(({ component }) => !isOwn.has(component))
        .map(({ component }) => ({ value: component })),
    },
  ]);
}

export interface VersionSources {
  readonly device: ChosenDevice | undefined;
  readonly component: string;
  readonly registered: readonly SoftwareVersionRow[];
  readonly installed: readonly InstalledVersion[];
  /** Changes of the device, newest first. */
  readonly history: readonly VersionChange[];
}

export interface VersionLabels {
  readonly earlier: string;
  readonly registered: string;
  readonly reported: string;
  readonly describe: (version: SoftwareVersionRow, isInstalled: boolean) => string;
}

/**
 * Versions of a component: those that the device had, the registered ones for its model, and those
 * that devices report. Blocked versions are left out, as they cannot be installed.
 */
export function versionSuggestions(from: VersionSources, labels: VersionLabels): Suggestions {
  const { device, component } = from;
  const current = device?.software.find((one) => one.component === component)?.version;
  const blocked = new Set(
    from.registered.filter(({ state }) => state === 'blocked').map(({ version }) => version),
  );
  const registered = from.registered.filter(
    ({ version, models }) => !blocked.has(version) && fitsModel(models, device),
  );
  const named = new Set<string>();
  const once = (version: string): boolean => {
    if (blocked.has(version) || named.has(version)) return false;
    named.add(version);
    return true;
  };
  const earlier = from.history
    .filter((change) => change.component === component)
    .flatMap(({ previousVersion }) => (previousVersion === null ? [] : [previousVersion]))
    .filter((version) => version !== current && once(version));
  return filled([
    { label: labels.earlier, options: earlier.map((value) => ({ value })) },
    {
      label: labels.registered,
      options: registered
        .filter(({ version }) => once(version))
        .map((one) => ({
          value: one.version,
          description: labels.describe(one, one.version === current),
        })),
    },
    {
      label: labels.reported,
      options: from.installed
        .filter((one) => one.component === component && once(one.version))
        .map(({ version }) => ({ value: version })),
    },
  ]);
}

const fitsModel = (models: readonly string[], device: ChosenDevice | undefined): boolean =>
  models.length === 0 || device?.model == null || models.includes(device.model);

const filled = (groups: Suggestions): Suggestions =>
  groups.filter(({ options }) => options.length > 0);
