import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { personLabel, type NamedPerson } from '@deviceportal/contract/people';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';

export interface PickedPerson extends NamedPerson {
  readonly id: string;
}

export interface PersonPickerProps {
  readonly value: PickedPerson | null;
  /** Null if no person is selected. */
  readonly onChange: (person: PickedPerson | null) => void;
  /** A person must be selected. */
  readonly required?: boolean;
  /** The label of the empty option. */
  readonly emptyLabel?: string;
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  readonly controlId?: string;
}

const SHOWN = 20;
const EMPTY_VALUE = '';

/**
 * Finds a person by part of the name, email address, phone number, or username. The value is an ID.
 */
export function PersonPicker(props: PersonPickerProps): ReactNode {
  const { value, onChange, required = false, disabled = false, invalid = false, controlId } = props;
  const t = useT();
  const api = useApi();
  // Nothing is requested until the list is opened.
  const [text, setText] = useState<string | null>(null);
  const people = useQuery(
    api.people.list.queryOptions(
      { text: text ?? '', pageSize: SHOWN },
      { enabled: text !== null && !disabled, placeholderData: keepPreviousData },
    ),
  );
  const emptyOption: SelectProps.Option = {
    value: EMPTY_VALUE,
    label: props.emptyLabel ?? t('people.picker.nobody'),
  };
  const found = (people.data?.rows ?? []).map((person): SelectProps.Option => ({
    value: person.id,
    label: person.name,
    description: [person.email, person.phone].filter(Boolean).join(' · '),
  }));
  return (
    <Select
      options={!required && (text === null || text === '') ? [emptyOption, ...found] : found}
      selectedOption={value === null ? null : { value: value.id, label: personLabel(value) }}
      filteringType="manual"
      filteringPlaceholder={t('people.picker.placeholder')}
      filteringAriaLabel={t('people.picker.placeholder')}
      placeholder={required ? t('people.picker.choose') : (emptyOption.label ?? '')}
      disabled={disabled}
      invalid={invalid}
      empty={t('people.picker.none')}
      statusType={people.isError ? 'error' : people.isFetching ? 'loading' : 'finished'}
      loadingText={t('people.picker.loading')}
      errorText={t('people.picker.failed')}
      recoveryText={t('app.error.action.retry')}
      expandToViewport
      {...(controlId === undefined ? {} : { controlId })}
      onLoadItems={({ detail }) => {
        setText(detail.filteringText);
        if (people.isError) void people.refetch();
      }}
      onChange={({ detail: { selectedOption } }) => {
        const { value: id = EMPTY_VALUE, label = '' } = selectedOption;
        onChange(id === EMPTY_VALUE ? null : { id, name: label });
      }}
    />
  );
}
