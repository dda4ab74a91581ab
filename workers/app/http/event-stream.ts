/** Of answers that are events: nobody in between is to hold them back. */
export const eventStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
