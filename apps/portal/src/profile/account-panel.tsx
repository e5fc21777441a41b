import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AccountProblem } from './account-problem.tsx';

export interface AccountPanelProps<Data> {
  readonly title: string;
  readonly description?: string;
  readonly query: UseQueryResult<Data>;
  /** The error of a change in this panel. */
  readonly error?: unknown;
  readonly actions?: (data: Data) => ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A section of the account, which loads and fails independently. */
export function AccountPanel<Data>(props: AccountPanelProps<Data>): ReactNode {
  const { title, description, query, error, actions, children } = props;
  const { data } = query;
  return (
    <Container
      header={
        <Header
          variant="h2"
          {...(description !== undefined && { description })}
          {...(data !== undefined && actions !== undefined && { actions: actions(data) })}
        >
          {title}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <AccountProblem error={error} />
        {data !== undefined ? (
          children(data)
        ) : query.error === null ? (
          <Spinner />
        ) : (
          <AccountProblem error={query.error} onRetry={() => void query.refetch()} />
        )}
      </SpaceBetween>
    </Container>
  );
}
