import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { CommandScreen, type CommandScreenProps } from './command-screen.tsx';

export const Route = createLazyRoute('/commands/$name/$sub')({ component: SubCommandPage });

const route = getRouteApi('/commands/$name/$sub');

function SubCommandPage(): ReactNode {
  const { name, sub } = route.useParams();
  const navigate = route.useNavigate();
  const onSearch = useCallback<CommandScreenProps['onSearch']>(
    (change, how) => void navigate({ search: (old) => ({ ...old, ...change }), ...how }),
    [navigate],
  );
  // Without `sub` in the key, so that a subcommand keeps what was typed.
  return (
    <CommandScreen
      key={name}
      command={`${name}/${sub}`}
      search={route.useSearch()}
      onSearch={onSearch}
    />
  );
}
