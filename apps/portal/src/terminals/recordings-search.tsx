import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { TERMINAL_SEARCH_CHARACTERS } from '@deviceportal/contract/terminal-text';
import type { TerminalSessionSummary } from '@deviceportal/contract/terminals';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';

const SHORTEST = 2;

/** Sessions of a device whose recording contains a text. */
export interface RecordingsWithText {
  readonly text: string;
  readonly sessions: readonly TerminalSessionSummary[];
  readonly searched: number;
  /** Where the search continues; null if all were searched. */
  readonly before: string | null;
}

interface RecordingsSearchProps {
  readonly deviceId: string;
  readonly found: RecordingsWithText | null;
  readonly onFound: (found: RecordingsWithText | null) => void;
}

/** Searches for text in the recordings of a device. */
export function RecordingsSearch({ deviceId, found, onFound }: RecordingsSearchProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [typed, setTyped] = useState('');
  const search = useMutation(api.terminals.search.mutationOptions());
  const text = typed.trim();
  const isPossible = text.length >= SHORTEST && !search.isPending;
  const start = (continued: RecordingsWithText | null): void => {
    if (!isPossible && continued === null) return;
    const wanted = continued?.text ?? text;
    const before = continued?.before ?? null;
    search.mutate(
      { deviceId, text: wanted, before },
      {
        onSuccess: (more) =>
          onFound({
            ...{ text: wanted, before: more.before },
            sessions: [...(continued?.sessions ?? []), ...more.sessions],
            searched: (continued?.searched ?? 0) + more.searched,
          }),
      },
    );
  };
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Input
          type="search"
          value={typed}
          ariaLabel={t('terminals.recordings.label')}
          placeholder={t('terminals.recordings.label')}
          clearAriaLabel={t('terminals.search.clear')}
          onChange={({ detail }) => {
            setTyped(detail.value.slice(0, TERMINAL_SEARCH_CHARACTERS));
            if (detail.value === '') onFound(null);
          }}
          onKeyDown={({ detail }) => {
            if (detail.key === 'Enter') start(null);
          }}
        />
        <Button loading={search.isPending} disabled={!isPossible} onClick={() => start(null)}>
          {t('terminals.recordings.search')}
        </Button>
        {found?.before ? (
          <Button disabled={search.isPending} onClick={() => start(found)}>
            {t('terminals.recordings.older')}
          </Button>
        ) : null}
        <span role="status">
          {found === null
            ? null
            : t(found.before === null ? 'terminals.recordings.all' : 'terminals.recordings.some', {
                ...{ text: found.text, searched: found.searched },
                count: found.sessions.length,
              })}
        </span>
      </SpaceBetween>
      {search.error === null ? null : <ErrorView error={search.error} place="alert" />}
    </SpaceBetween>
  );
}
