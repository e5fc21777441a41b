import {
  confirmStepUpByAppInput,
  confirmStepUpByCodeInput,
  confirmStepUpByPasskeyInput,
  sendStepUpCodeInput,
  type SentStepUpCode,
  type StepUpConfirmation,
  type StepUpOffers,
} from '@deviceportal/contract/step-up';
import { maskDestination } from '@deviceportal/identity/code-destination';
import { permitted, router } from '../platform/api.ts';
import { beginPasskey } from './begin-passkey.ts';
import { confirmByApp, confirmByCode, confirmByPasskey } from './confirm-step-up.ts';
import { deleteStepUp } from './data/step-up-queries.ts';
import { findMethods } from './find-methods.ts';
import { sendStepUpCode } from './send-step-up-code.ts';
import { sessionKeyOf } from './session-key.ts';
import type { StepUpDeps } from './step-up-deps.ts';

/** A fresh second step of the caller's session. */
export const createStepUpRouter = (deps: StepUpDeps) =>
  router({
    getOffers: permitted('session').query(async ({ ctx: { viewer } }): Promise<StepUpOffers> => {
      const { methods, hindrances } = await findMethods(deps, viewer);
      return {
        methods: methods.map(({ method, destination }) => ({
          method,
          destination: destination === undefined ? null : maskDestination(destination),
        })),
        hindrances,
      };
    }),
    sendCode: permitted('session')
      .input(sendStepUpCodeInput)
      .mutation(({ ctx, input }): Promise<SentStepUpCode> => sendStepUpCode(deps, ctx, input)),
    confirmByCode: permitted('session')
      .input(confirmStepUpByCodeInput)
      .mutation(({ ctx, input }): Promise<StepUpConfirmation> => confirmByCode(deps, ctx, input)),
    confirmByApp: permitted('session')
      .input(confirmStepUpByAppInput)
      .mutation(({ ctx, input }): Promise<StepUpConfirmation> => confirmByApp(deps, ctx, input)),
    beginPasskey: permitted('session').mutation(({ ctx }) => beginPasskey(deps, ctx)),
    confirmByPasskey: permitted('session')
      .input(confirmStepUpByPasskeyInput)
      .mutation(({ ctx, input }): Promise<StepUpConfirmation> =>
        confirmByPasskey(deps, ctx, input),
      ),
    end: permitted('session').mutation(({ ctx: { viewer } }): Promise<void> =>
      deleteStepUp(deps.database.orm, sessionKeyOf(viewer)),
    ),
  });
