import Select, { type SelectProps } from '@cloudscape-design/components/select';
import type { ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useT, type Translate } from '../../../i18n/use-t.ts';
import { roleName } from '../../../access/roles/role-words.ts';
import { usePreferences } from '../../../ui/preferences-store.ts';
import { deviceViews, isChanged, viewSearchOf, type ViewScreen } from './saved-views.ts';

export interface SavedViewSelectProps {
  readonly views: readonly SavedView[];
  readonly current: SavedView | undefined;
  readonly search: Readonly<Record<string, string>>;
  readonly loading: boolean;
  /** The device list by default. */
  readonly screen?: ViewScreen;
  /** Null for "all devices". */
  readonly onChoose: (view: SavedView | null) => void;
}

const ALL = '';

/** Selects a saved view. */
export function SavedViewSelect(props: SavedViewSelectProps): ReactNode {
  const { views, current, search, loading, onChoose, screen = deviceViews } = props;
  const t = useT();
  const words = { t, defaultId: usePreferences().defaultViews?.[screen.id] };
  const all: SelectProps.Option = { value: ALL, label: t(screen.all) };
  const options = [
    all,
    group(
      t('devices.views.mine'),
      views.filter((view) => view.mine && !view.builtin),
      words,
    ),
    group(
      t('devices.views.shared'),
      views.filter((view) => !view.mine && !view.builtin),
      words,
    ),
    group(
      t('devices.views.builtin'),
      views.filter((view) => view.builtin),
      words,
    ),
  ].filter((option) => option !== null);
  const selected =
    current === undefined
      ? Object.keys(viewSearchOf(search, screen)).every(
          (field) => field === 'sort' || field === 'op',
        )
        ? all
        : null
      : {
          value: current.id,
          label: isChanged(current, search, screen)
            ? t('devices.views.unsaved', { name: viewName(current, t) })
            : viewName(current, t),
        };
  return (
    <Select
      selectedOption={selected}
      options={options}
      placeholder={t('devices.views.placeholder')}
      ariaLabel={t('devices.views.label')}
      statusType={loading ? 'loading' : 'finished'}
      loadingText={t('devices.views.loading')}
      expandToViewport
      onChange={({ detail }) =>
        onChoose(views.find(({ id }) => id === detail.selectedOption.value) ?? null)
      }
    />
  );
}

function group(
  label: string,
  views: readonly SavedView[],
  { t, defaultId }: { readonly t: Translate; readonly defaultId: string | undefined },
): SelectProps.OptionGroup | null {
  if (views.length === 0) return null;
  return {
    label,
    options: views.map((view) => ({
      value: view.id,
      label: viewName(view, t),
      ...(view.id === defaultId ? { labelTag: t('devices.views.default') } : {}),
      ...(view.sharedWithRole === null
        ? {}
        : {
            description: t('devices.views.sharedWith', { role: roleName(view.sharedWithRole, t) }),
          }),
    })),
  };
}

const builtinViews = [
  'needs-attention',
  'offline-over-a-day',
  'degraded',
  'disk-full',
  'never-connected',
  'suspended',
  'access-changes',
  'places-looked-at',
  'exports',
] as const;

/** The name of a view, translated for built-in views. */
export function viewName(view: SavedView, t: Translate): string {
  const builtin = builtinViews.find((name) => view.id === `builtin-${name}`);
  return builtin === undefined ? view.name : t(`devices.views.name.${builtin}`);
}
