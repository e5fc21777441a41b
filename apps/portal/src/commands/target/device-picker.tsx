import Autosuggest, { type AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { wordOf } from '../../ui/status-of.tsx';

export interface DevicePickerProps {
  readonly onPick: (deviceId: string) => void;
  /** The number of rejected runs without a device. Each increment moves the focus here. */
  readonly asked: number;
}

const SHOWN = 8;
const TYPING_MS = 200;

/**
 * Finds a device by serial number, name, owner, or label. Shows recent devices before anything is
 * typed.
 */
export function DevicePicker({ onPick, asked }: DevicePickerProps): ReactNode {
  const t = useT();
  const [text, setText] = useState('');
  const input = useRef<AutosuggestProps.Ref>(null);
  const { options, query } = useDeviceOptions(text);
  useEffect(() => {
    if (asked > 0) input.current?.focus();
  }, [asked]);
  return (
    <FormField
      label={t('commands.target.device')}
      description={t('commands.target.deviceHint')}
      stretch
    >
      <Autosuggest
        ref={input}
        value={text}
        options={options}
        filteringType="manual"
        placeholder={t('commands.target.search')}
        ariaLabel={t('commands.target.device')}
        enteredTextLabel={(value) => t('commands.target.searchFor', { text: value })}
        statusType={query.isFetching ? 'loading' : query.isError ? 'error' : 'finished'}
        loadingText={t('commands.target.searching')}
        errorText={t('commands.target.searchFailed')}
        recoveryText={t('app.error.action.retry')}
        empty={t('commands.target.noneFound')}
        onLoadItems={({ detail }) => {
          if (detail.samePage) void query.refetch();
        }}
        onChange={({ detail }) => setText(detail.value)}
        onSelect={({ detail }) => {
          if (detail.selectedOption !== undefined) onPick(detail.value);
          // A complete serial number can be entered without choosing a suggestion.
          else if (detail.value.trim() !== '') onPick(detail.value.trim());
        }}
      />
    </FormField>
  );
}

function useDeviceOptions(text: string) {
  const t = useT();
  const api = useApi();
  const language = useLanguage();
  const wanted = useSettled(text.trim());
  const found = useQuery(
    api.devices.list.queryOptions(
      { filter: { text: wanted }, pageSize: SHOWN },
      { placeholderData: keepPreviousData },
    ),
  );
  const recent = useQuery(api.session.recent.queryOptions(undefined));
  const recentDevices = (recent.data ?? []).filter((item) => item.kind === 'device').slice(0, 5);
  const known = new Set(recentDevices.map((item) => item.id));
  const rows = (found.data?.rows ?? []).filter((row) => wanted !== '' || !known.has(row.id));
  const groups = [
    wanted === '' && recentDevices.length > 0
      ? {
          label: t('commands.target.recent'),
          options: recentDevices.map((item) => ({ value: item.id, label: item.label })),
        }
      : null,
    rows.length === 0
      ? null
      : {
          label: wanted === '' ? t('commands.target.lastSeen') : t('commands.target.found'),
          options: rows.map((row) =>
            optionOf(row, wordOf('connectivity', row.connectivity, language)),
          ),
        },
  ];
  return { options: groups.filter((group) => group !== null), query: found };
}

function optionOf(row: DeviceRow, state: string): AutosuggestProps.Option {
  return {
    value: row.id,
    label: row.serialNumber ?? row.name,
    labelTag: state,
    description: [row.name, row.model, row.owner?.name].filter((part) => part).join(' · '),
  };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
