import { type Origin, originKey } from '../elicitation/question.ts'

/** Whom a connection belongs to: one origin, or a principal whose origins share it. */
export interface Seat extends Origin {
  readonly isShared?: true
}

/** A text that is the same for equal seats and no others. */
export function seatKey(seat: Seat): string {
  return seat.isShared === true ? JSON.stringify([seat.principal]) : originKey(seat)
}

/** The seat that all origins of a principal share. */
export function sharedSeat(principal: string): Seat {
  return { principal, conversation: '', isShared: true }
}
