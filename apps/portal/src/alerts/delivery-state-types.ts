/** How states of deliveries are shown. */
export const deliveryStateTypes = {
  waiting: 'pending',
  sending: 'in-progress',
  delivered: 'success',
  failed: 'error',
} as const;
