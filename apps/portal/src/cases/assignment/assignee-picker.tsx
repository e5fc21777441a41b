import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useViewer } from '../../session/viewer-context.tsx';

export interface Assignee {
  readonly id: string;
  readonly name: string;
}

const NONE = '';

/** Selects a user who can work on cases of the person, the viewer first, or no user. */
export function AssigneePicker({
  personId,
  value,
  controlId,
  onChange,
}: {
  /** Null until a person is selected: only the viewer and no user can be selected. */
  readonly personId: string | null;
  readonly value: Assignee | null;
  readonly controlId: string;
  readonly onChange: (assignee: Assignee | null) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const { detail } = useViewer();
  // Nothing is requested until the list is opened.
  const [text, setText] = useState<string | null>(null);
  const users = useQuery(
    api.cases.listAssignees.queryOptions(
      { personId: personId ?? '', text: text ?? '' },
      { enabled: text !== null && personId !== null, placeholderData: keepPreviousData },
    ),
  );
  const own = {
    value: detail.userId,
    label: t('cases.assignee.me', { name: detail.displayName }),
  };
  const none = { value: NONE, label: t('cases.assignee.none') };
  const others = (users.data ?? [])
    .filter(({ id }) => id !== detail.userId)
    .map(({ id, name, username }): SelectProps.Option => ({
      value: id,
      label: name,
      ...(username === name ? {} : { description: username }),
    }));
  const isFiltered = text !== null && text !== '';
  return (
    <Select
      options={isFiltered ? others : [own, none, ...others]}
      selectedOption={
        value === null
          ? none
          : value.id === detail.userId
            ? own
            : { value: value.id, label: value.name }
      }
      filteringType="manual"
      filteringPlaceholder={t('cases.assignee.find')}
      filteringAriaLabel={t('cases.assignee.find')}
      empty={t('cases.assignee.noMatch')}
      statusType={users.isError ? 'error' : users.isFetching ? 'loading' : 'finished'}
      loadingText={t('people.picker.loading')}
      errorText={t('people.picker.failed')}
      recoveryText={t('app.error.action.retry')}
      expandToViewport
      controlId={controlId}
      onLoadItems={({ detail: { filteringText } }) => {
        setText(filteringText);
        if (users.isError) void users.refetch();
      }}
      onChange={({ detail: { selectedOption } }) => {
        const { value: id = NONE, label = '' } = selectedOption;
        onChange(
          id === NONE ? null : { id, name: id === detail.userId ? detail.displayName : label },
        );
      }}
    />
  );
}
