import PropertyFilter, {
  type PropertyFilterProps,
} from '@cloudscape-design/components/property-filter';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import type { FilterQuery, FilterQueryToken, UrlFilterOperator } from './filter-codec.ts';

export interface FilterValue {
  readonly value: string;
  readonly label: string;
}

export interface FilterProperty {
  readonly key: string;
  readonly label: string;
  /** The heading of the values: "Model values". */
  readonly groupLabel: string;
  readonly operators: readonly UrlFilterOperator[];
  /** A closed list (states, countries), selected with checkboxes. */
  readonly values?: readonly FilterValue[];
  /** Requests suggestions while the user types. */
  readonly suggest?: (text: string) => Promise<readonly FilterValue[]>;
  /** The text of a value, if the value is an ID. */
  readonly format?: (value: string) => string;
}

export interface PropertyFilterBarProps {
  readonly properties: readonly FilterProperty[];
  readonly query: FilterQuery;
  readonly onChange: (query: FilterQuery) => void;
  readonly placeholder: string;
  /** "1,204 matches", announced to screen readers. */
  readonly countText?: string;
  /** A control for saved filters, at least 200 px wide so that its label does not wrap. */
  readonly customControl?: ReactNode;
  readonly customActions?: ReactNode;
  readonly disabled?: boolean;
}

/** Cloudscape’s property filter, bound to the filter of the URL. */
export function PropertyFilterBar(props: PropertyFilterBarProps): ReactNode {
  const t = useT();
  const suggestions = useSuggestions(props.properties);
  const closed = props.properties.flatMap(({ key, values = [] }) =>
    values.map(({ value, label }) => ({ propertyKey: key, value, label })),
  );
  return (
    <PropertyFilter
      filteringProperties={props.properties.map(toProperty)}
      filteringOptions={[...closed, ...suggestions.options]}
      filteringStatusType={suggestions.status}
      onLoadItems={({ detail }) => suggestions.load(detail)}
      query={toCloudscape(props.query, props.properties)}
      onChange={({ detail }) => props.onChange(fromCloudscape(detail))}
      filteringPlaceholder={props.placeholder}
      filteringAriaLabel={props.placeholder}
      filteringRecoveryText={t('app.error.action.retry')}
      filteringErrorText={t('app.filter.failed')}
      filteringLoadingText={t('app.filter.loading')}
      countText={props.countText ?? ''}
      disabled={props.disabled ?? false}
      expandToViewport
      className="dp-filter"
      customControl={
        props.customControl === undefined ? undefined : (
          <div className="dp-filter-sets">{props.customControl}</div>
        )
      }
      customFilterActions={
        props.customActions === undefined ? undefined : (
          <SpaceBetween direction="horizontal" size="xs">
            {props.customActions}
            {props.query.tokens.length === 0 ? null : (
              // Custom actions replace the clear button of the property filter.
              <Button onClick={() => props.onChange({ ...props.query, tokens: [] })}>
                {t('app.table.clearFilter')}
              </Button>
            )}
          </SpaceBetween>
        )
      }
    />
  );
}

function toProperty(property: FilterProperty): PropertyFilterProps.FilteringProperty {
  const { key, label, groupLabel, operators, values, format } = property;
  const word = (value: string): string =>
    values?.find((each) => each.value === value)?.label ?? format?.(value) ?? value;
  return {
    key,
    propertyLabel: label,
    groupValuesLabel: groupLabel,
    operators: operators.map((operator) => ({
      operator,
      ...(values === undefined || (operator !== '=' && operator !== '!=')
        ? {}
        : { tokenType: 'enum' as const }),
      format: (value: unknown) => asValues(value).map(word).join(', '),
    })),
  };
}

function toCloudscape(
  query: FilterQuery,
  properties: readonly FilterProperty[],
): PropertyFilterProps.Query {
  const isEnum = ({ key, operator }: FilterQueryToken): boolean =>
    (operator === '=' || operator === '!=') &&
    properties.find((property) => property.key === key)?.values !== undefined;
  return {
    operation: query.operation,
    tokens: query.tokens.map((token) => ({
      ...(token.key === undefined ? {} : { propertyKey: token.key }),
      operator: token.operator,
      value: isEnum(token) ? token.values : token.values.join(', '),
    })),
  };
}

function fromCloudscape(query: PropertyFilterProps.Query): FilterQuery {
  return {
    operation: query.operation,
    tokens: query.tokens.map((token) => ({
      ...(token.propertyKey === undefined ? {} : { key: token.propertyKey }),
      operator: token.operator as UrlFilterOperator,
      values: token.propertyKey === undefined ? [String(token.value)] : asValues(token.value),
    })),
  };
}

/** One value, several of a closed list, or a pasted list with commas. */
function asValues(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return String(value ?? '')
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

interface Suggestions {
  readonly status: 'pending' | 'loading' | 'finished' | 'error';
  readonly options: readonly PropertyFilterProps.FilteringOption[];
}

function useSuggestions(properties: readonly FilterProperty[]) {
  const [suggestions, setSuggestions] = useState<Suggestions>({ status: 'pending', options: [] });
  const load = async (detail: PropertyFilterProps.LoadItemsDetail): Promise<void> => {
    const key = detail.filteringProperty?.key;
    const suggest = properties.find((property) => property.key === key)?.suggest;
    if (key === undefined || suggest === undefined) {
      setSuggestions({ status: 'finished', options: [] });
      return;
    }
    setSuggestions((old) => ({ ...old, status: 'loading' }));
    try {
      const found = await suggest(detail.filteringText);
      setSuggestions({
        status: 'finished',
        options: found.map(({ value, label }) => ({ propertyKey: key, value, label })),
      });
    } catch {
      setSuggestions({ status: 'error', options: [] });
    }
  };
  return {
    ...suggestions,
    load: (detail: PropertyFilterProps.LoadItemsDetail) => void load(detail),
  };
}
