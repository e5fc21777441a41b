/** A token is not what it must be; the message says why. */
export class InvalidTimeStamp extends Error {
  constructor(reason: string) {
    super(`the time stamp ${reason}`);
    this.name = 'InvalidTimeStamp';
  }
}
