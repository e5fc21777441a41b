/** An invalid token; the message contains the reason. */
export class InvalidTimeStamp extends Error {
  constructor(reason: string) {
    super(`the time stamp ${reason}`);
    this.name = 'InvalidTimeStamp';
  }
}
