import { createContext, useContext, useMemo, type ReactNode } from 'react';
import {
  holds,
  mayRun,
  type Consequence,
  type Permission,
} from '@deviceportal/contract/permissions';
import type { SessionDetail } from '@deviceportal/contract/session';

export interface ViewerRights {
  readonly detail: SessionDetail;
  /**
   * Whether the viewer has a permission for any device. The server decides; screens only reflect
   * it.
   */
  readonly may: (permission: Permission) => boolean;
  readonly mayRun: (command: string, consequence: Consequence) => boolean;
}

const ViewerContext = createContext<ViewerRights | undefined>(undefined);

export function ViewerProvider({
  detail,
  children,
}: {
  readonly detail: SessionDetail;
  readonly children: ReactNode;
}): ReactNode {
  const rights = useMemo<ViewerRights>(
    () => ({
      detail,
      may: (permission) => holds(detail.grants, permission),
      mayRun: (command, consequence) => mayRun(detail.grants, command, consequence),
    }),
    [detail],
  );
  return <ViewerContext value={rights}>{children}</ViewerContext>;
}

/** The signed-in user and their permissions: `const { may } = useViewer()`. */
export function useViewer(): ViewerRights {
  const rights = useContext(ViewerContext);
  if (rights === undefined) throw new Error('useViewer requires a signed-in page');
  return rights;
}
