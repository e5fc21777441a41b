import type { IdentityClient } from '@deviceportal/identity-client';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Account } from './account.ts';

const AccountContext = createContext<Account | undefined>(undefined);

export const AccountProvider = AccountContext.Provider;

function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error('useAccount requires an AccountContext provider');
  return account;
}

type Part = 'user' | 'security' | 'authenticators' | 'devices' | 'real-name';

/** Loads a section of the account. Errors of the provider are final and not retried. */
export function useAccountQuery<Result>(
  part: Part,
  ask: (client: IdentityClient, options: { readonly signal: AbortSignal }) => Promise<Result>,
): UseQueryResult<Result> {
  const account = useAccount();
  return useQuery({
    queryKey: ['account', part],
    queryFn: ({ signal }) => account.run((client) => ask(client, { signal })),
    retry: false,
  });
}

/** Changes the account, and reloads all its sections. */
export function useAccountAct<Input, Result>(
  act: (client: IdentityClient, input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
): UseMutationResult<Result, Error, Input> {
  const account = useAccount();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => account.run((client) => act(client, input)),
    onSuccess: (result) => {
      void queryClient.invalidateQueries({ queryKey: ['account'] });
      onDone?.(result);
    },
  });
}
