import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunRow } from '@deviceportal/contract/runs';
import { searchScores } from '@deviceportal/contract/search';
import type { RecentItem } from '@deviceportal/contract/session';
import { useApi } from '../../api/use-api.ts';
import { useActiveCase } from '../../cases/use-active-case.ts';
import { runHref } from '../../commands/runs/run-href.ts';
import { runName } from '../../commands/runs/run-name.ts';
import { useCommandWords } from '../../commands/use-command-words.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { useSerialNumberList } from '../../devices/list/use-serial-number-list.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { caseItems, commandItems, helpItem, placeItems, settingItems } from './action-items.ts';
import { deviceSetItems } from './device-set-items.ts';
import { foundItems, serialListItem } from './found-items.ts';
import { matchesWords } from './matches-words.ts';
import { parseSearch, type ParsedSearch } from './parse-search.ts';
import { pathOfRecentItem } from '../../home/path-of-recent-item.ts';
import type { PaletteItem } from './palette-item.ts';
import { suggestionItems } from './suggestion-items.ts';

const SHOWN_ACTIONS = 12;
const SHOWN_RECENT = 10;
const SHOWN_RUNS = 4;
const LONGEST_TEXT = 500;

export interface PaletteItems {
  readonly items: readonly PaletteItem[];
  readonly searching: boolean;
  readonly failed: boolean;
  /** The corrected search text, if a typing error was corrected. */
  readonly mended: string | null;
  /** Whether the results are only similar to the text. */
  readonly isSimilar: boolean;
  /** Words to highlight, in lower case. */
  readonly words: readonly string[];
}

/** Results of a search, best match first. Without a text: recently opened pages and recent runs. */
export function usePaletteItems(input: string): PaletteItems {
  const t = useT();
  const search = useMemo(() => parseSearch(input), [input]);
  const { hits, wantsServer } = useHits(search);
  const last = useLastThings(search.text === '');
  const { actions, describe } = useActions();
  const language = useLanguage();
  const openList = useSerialNumberList();
  const mayOpenCase = useViewer().may('cases:manage');
  const answered = wantsServer ? hits.data : undefined;
  const fitting = useMemo(
    () => actions.filter((item) => fits(item, search)).slice(0, SHOWN_ACTIONS),
    [actions, search],
  );
  // An exact match among the actions takes precedence over a corrected search.
  const isMended = answered?.mended != null;
  const answer = isMended && fitting.some((item) => says(item, search)) ? undefined : answered;
  const items = useMemo(() => {
    if (search.text === '' && search.only === null)
      return [...last, ...actions.slice(0, SHOWN_ACTIONS)];
    const found = foundItems(t, answer, { ...search, mayOpenCase });
    const suggested = suggestionItems({ t, language, describe }, answer);
    const others = fitting.filter((item) => !suggested.some((each) => isSame(each, item)));
    const best = answer?.groups[0]?.hits[0]?.score ?? 0;
    // Pages whose name begins with the text come before devices that contain it.
    const pagesFirst = best < searchScores.begins && fitting.some((item) => begins(item, search));
    const isAsked = answer?.suggestionsLead === true;
    const rest = pagesFirst ? [...others, ...found] : [...found, ...others];
    return [
      ...serialListItem(t, search, openList),
      ...(isAsked ? [...suggested, ...rest] : [...rest, ...suggested]),
    ];
  }, [t, language, search, answer, last, actions, describe, fitting, mayOpenCase, openList]);
  return {
    items,
    searching: wantsServer && hits.isFetching,
    failed: wantsServer && hits.isError,
    mended: answer?.mended ?? null,
    isSimilar:
      answer?.groups.some((group) => group.hits.some(({ why }) => why !== undefined)) ?? false,
    words: answer?.words ?? [],
  };
}

function useHits({ text, only }: ParsedSearch) {
  const api = useApi();
  const wantsServer = text.length > 1 && only !== 'command';
  const hits = useQuery(
    api.search.find.queryOptions(
      {
        text: text.slice(0, LONGEST_TEXT),
        kinds:
          only === null || only === 'command'
            ? []
            : only === 'run'
              ? ['run', 'invocation']
              : [only],
      },
      // The next keystroke aborts this request.
      { enabled: wantsServer, placeholderData: (old) => old, retry: false, refetchInterval: false },
    ),
  );
  return { hits, wantsServer };
}

function useLastThings(enabled: boolean): readonly PaletteItem[] {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const recent = useQuery(api.session.recent.queryOptions(undefined, { enabled }));
  const runs = useQuery(
    api.commands.listRuns.queryOptions(
      { mine: true, pageSize: 25 },
      { enabled: enabled && may('commands:read') },
    ),
  );
  return useMemo(
    () => [
      ...(recent.data ?? []).slice(0, SHOWN_RECENT).map((item) => recentItem(t, item)),
      ...(runs.data?.rows ?? []).slice(0, SHOWN_RUNS).map((run) => runItem(t, run)),
    ],
    [t, recent.data, runs.data],
  );
}

function useActions(): {
  readonly actions: readonly PaletteItem[];
  readonly describe: (command: string) => string;
} {
  const t = useT();
  const api = useApi();
  const viewer = useViewer();
  const words = useCommandWords();
  const language = useLanguage();
  const active = useActiveCase() ?? null;
  const commands = useQuery(
    api.commands.list.queryOptions(undefined, {
      enabled: viewer.may('commands:read'),
      staleTime: 300_000,
    }),
  );
  return useMemo(() => {
    const described = (commands.data ?? []).map((command) => ({
      ...command,
      description: words.description(command),
    }));
    return {
      describe: (name) => described.find(({ command }) => command === name)?.description ?? '',
      actions: [
        ...caseItems(t, viewer, active),
        ...placeItems(t, viewer),
        ...commandItems(t, described),
        helpItem(t),
        ...settingItems(t),
        ...deviceSetItems(t, viewer, language),
      ],
    };
  }, [t, viewer, active, commands.data, words, language]);
}

const isSame = (one: PaletteItem, other: PaletteItem): boolean =>
  one.id === other.id || (one.href !== undefined && one.href === other.href);

function fits(item: PaletteItem, { text, only }: ParsedSearch): boolean {
  return (
    (only === null || (only === 'command' && isCommand(item))) && matchesWords(wordsOf(item), text)
  );
}

const isCommand = ({ id }: PaletteItem): boolean => id.startsWith('run:');

/** Includes keywords, because "reboot" describes a command but is not its name. */
const wordsOf = (item: PaletteItem): string =>
  isCommand(item) ? `${item.label} ${item.detail}` : item.label;

/** Matches without typing errors. */
function says(item: PaletteItem, { text }: ParsedSearch): boolean {
  const words = wordsOf(item).toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

const begins = (item: PaletteItem, { text }: ParsedSearch): boolean =>
  item.label.toLowerCase().startsWith(text.toLowerCase());

function recentItem(t: Translate, item: RecentItem): PaletteItem {
  const href = pathOfRecentItem(item.kind, item.id);
  return {
    id: `recent:${item.kind}:${item.id}`,
    section: t('app.palette.recent'),
    label: item.label,
    detail: t(`app.palette.kind.${item.kind}`),
    at: item.at,
    href,
    act: () => navigateTo(href),
  };
}

function runItem(t: Translate, run: RunRow): PaletteItem {
  const href = runHref(run);
  return {
    id: `mine:${run.id}`,
    section: t('app.palette.mine'),
    label: runName(run),
    detail:
      run.serialNumber ??
      run.deviceName ??
      t('app.palette.runDevices', { count: run.counters.target }),
    state: { kind: 'run', value: run.state },
    at: run.createdAt,
    href,
    act: () => navigateTo(href),
  };
}
