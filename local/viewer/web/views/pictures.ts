/** Views that draw: with what they lay out, as much script as all lists together, and the first page has neither. */
import { FlowView } from './flow.tsx'
import { MapView } from './map.tsx'

export const pictures = { flow: FlowView, map: MapView }
