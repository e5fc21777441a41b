import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useCommandWords } from '../../commands/use-command-words.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { languageNames, languages } from '../../i18n/languages.ts';
import { signOutEverywhere } from '../../session/sign-out.ts';
import { encodeFilter } from '../filter-codec.ts';
import { navigateTo } from '../navigate-to.ts';
import { visibleGroups } from '../navigation.ts';
import { updatePreferences } from '../preferences-store.ts';
import { useViewer, type ViewerRights } from '../viewer-context.tsx';
import { parseSearch, type ParsedSearch } from './parse-search.ts';
import { pathOf, type PaletteItem } from './palette-item.ts';

const URL_LIST_LIMIT = 100;

export interface PaletteItems {
  readonly items: readonly PaletteItem[];
  readonly searching: boolean;
  readonly failed: boolean;
}

/** What the search shows for a text: things found, then pages and actions, then what was opened last. */
export function usePaletteItems(input: string, open: boolean): PaletteItems {
  const t = useT();
  const api = useApi();
  const viewer = useViewer();
  const search = useMemo(() => parseSearch(input), [input]);
  const wantsServer = open && search.text.length > 1 && search.only !== 'command';
  const hits = useQuery(
    api.session.search.queryOptions(
      { text: search.text.slice(0, 5_000) },
      { enabled: wantsServer, placeholderData: (old) => old, retry: false },
    ),
  );
  const recent = useQuery(api.session.recent.queryOptions(undefined, { enabled: open }));
  const commands = useQuery(
    api.commands.list.queryOptions(undefined, {
      enabled: open && viewer.may('commands:read'),
      staleTime: 300_000,
    }),
  );
  const words = useCommandWords();
  const items = useMemo(() => {
    const results = wantsServer
      ? (hits.data ?? [])
          .filter((hit) => search.only === null || hit.kind === search.only)
          .toSorted((one, other) => Number(other.exact) - Number(one.exact))
          .map((hit): PaletteItem => ({
            id: `${hit.kind}:${hit.id}`,
            section: 'results',
            label: hit.label,
            detail: [t(`shell.palette.kind.${hit.kind}`), hit.detail].filter(Boolean).join(' · '),
            act: () => navigateTo(pathOf(hit.kind, hit.id)),
          }))
      : [];
    const actions = [
      ...placeItems(t, viewer),
      ...(commands.data ?? [])
        .filter((command) => command.allowed)
        .map((command): PaletteItem => ({
          id: `run:${command.command}`,
          section: 'places',
          label: t('shell.palette.run', { command: command.command }),
          detail: words.description(command),
          act: () => navigateTo(`/commands/${command.command}`),
        })),
      ...settingItems(t),
    ].filter((item) => matches(item, search));
    const opened =
      search.text === ''
        ? (recent.data ?? []).slice(0, 10).map((item): PaletteItem => ({
            id: `recent:${item.kind}:${item.id}`,
            section: 'recent',
            label: item.label,
            detail: t(`shell.palette.kind.${item.kind}`),
            act: () => navigateTo(pathOf(item.kind, item.id)),
          }))
        : [];
    return [...serialListItem(t, search), ...results, ...opened, ...actions.slice(0, 12)];
  }, [t, words, viewer, search, wantsServer, hits.data, recent.data, commands.data]);
  return { items, searching: wantsServer && hits.isFetching, failed: wantsServer && hits.isError };
}

function matches(item: PaletteItem, search: ParsedSearch): boolean {
  if (search.only === 'command') {
    return item.id.startsWith('run:') && contains(item.label, search.text);
  }
  return search.only === null && contains(item.label, search.text);
}

const contains = (text: string, part: string): boolean =>
  part
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

function serialListItem(t: Translate, { serialNumbers }: ParsedSearch): PaletteItem[] {
  if (serialNumbers.length < 2 || serialNumbers.length > URL_LIST_LIMIT) return [];
  const q = encodeFilter({
    operation: 'and',
    tokens: [{ key: 'serialNumber', operator: '=', values: serialNumbers }],
  });
  return [
    {
      id: 'serial-list',
      section: 'results',
      label: t('shell.palette.serials', { count: serialNumbers.length }),
      detail: '',
      act: () => navigateTo(`/devices?q=${encodeURIComponent(q)}`),
    },
  ];
}

function placeItems(t: Translate, { may }: ViewerRights): PaletteItem[] {
  return visibleGroups(may).flatMap((group) =>
    group.places.map((place) => ({
      id: `place:${place.href}`,
      section: 'places' as const,
      label: t(place.key),
      detail: group.key === null ? '' : t(group.key),
      act: () => navigateTo(place.href),
    })),
  );
}

function settingItems(t: Translate): PaletteItem[] {
  const setting = (id: string, label: string, act: () => void): PaletteItem => ({
    id,
    section: 'places',
    label,
    detail: '',
    act,
  });
  return [
    ...(['light', 'dark', 'system'] as const).map((theme) =>
      setting(`theme:${theme}`, t(`shell.theme.${theme}`), () => updatePreferences({ theme })),
    ),
    ...(['comfortable', 'compact'] as const).map((density) =>
      setting(`density:${density}`, t(`shell.density.${density}`), () =>
        updatePreferences({ density }),
      ),
    ),
    ...languages.map((language) =>
      setting(`language:${language}`, languageNames[language], () =>
        updatePreferences({ language }),
      ),
    ),
    setting('sign-out', t('shell.top.signOut'), () => void signOutEverywhere()),
  ];
}
