/** A route that is made or changed: its steps, when the next is asked, and what a message would do by it. */

import { TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireGatewayRouting } from '../../contract/console-gateway.ts'
import { gatewayGoOnReasons } from '../../core/vocabulary.ts'
import {
  gatewayFirstTokenSecondsMax,
  gatewayRouteModelCharactersMax,
  gatewayRouteNameCharactersMax,
  gatewayRouteNumberMax,
  gatewayRouteStepsMax,
} from '../../limits.ts'
import { saveGatewayRoute } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { draftOf, isRouteName, newStep, type RouteDraft, routeIn, stepIn } from '../model/gateway-route.ts'
import { digitsOf, numberIn } from '../model/typed-number.ts'
import { type Form, useForm } from '../use-form.ts'
import { Ticks } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { RouteTrial } from './gateway-route-trial.tsx'

function StepFields(props: { form: Form<RouteDraft>; index: number; choices: readonly string[] }) {
  const { form, index } = props
  const text = words.value.gateway
  const { steps } = form.values
  const step = steps[index] ?? newStep(index + 1)
  const put = (change: Partial<typeof step>) =>
    form.set({ steps: steps.map((one, at) => (at === index ? { ...one, ...change } : one)) })
  const isWrong = stepIn(step) === undefined
  return (
    <fieldset class="rstep">
      <legend class="vh">{text.stepOf(index + 1)}</legend>
      <TextField
        label={text.model}
        value={step.model}
        onText={(model) => put({ model })}
        maxLength={gatewayRouteModelCharactersMax}
        code
        choices={props.choices}
        error={form.wrong(isWrong, text.stepWrong, `route.steps.${index}.model`)}
      />
      <TextField
        label={text.stepNumber}
        value={step.order}
        onText={(order) => put({ order })}
        maxLength={digitsOf(gatewayRouteNumberMax)}
        number
      />
      <TextField
        label={text.weightWord}
        value={step.weight}
        onText={(weight) => put({ weight })}
        maxLength={digitsOf(gatewayRouteNumberMax)}
        number
      />
      <TextField
        label={text.callsMost}
        value={step.calls}
        onText={(calls) => put({ calls })}
        maxLength={digitsOf(gatewayRouteNumberMax)}
        number
      />
      <button
        class="btn icon quiet"
        type="button"
        aria-label={text.dropStep(index + 1)}
        disabled={steps.length === 1}
        onClick={() => form.set({ steps: steps.filter((_, at) => at !== index) })}
      >
        <Icon name="close" />
      </button>
    </fieldset>
  )
}

export function GatewayRouteForm(props: {
  route: WireGatewayRouting['routes'][number] | undefined
  taken: readonly string[]
  /** Names of models that can be asked for, as far as they are known here. */
  choices: readonly string[]
  onDone: (name: string) => void
  onCancel: () => void
}) {
  const { route } = props
  const text = words.value.gateway
  const form = useForm(draftOf(route))
  const { values } = form
  const name = values.name.trim()
  const isTaken = route === undefined && props.taken.includes(name)
  const written = routeIn(values)
  const isSecondsWrong = numberIn(values.seconds, true) === undefined
  return (
    <FormFrame
      form={form}
      look="dialog"
      class="su-form kform"
      isRight={isRouteName(name) && !isTaken && written !== undefined}
      send={() => {
        // The frame sends only what is right.
        if (written === undefined) throw new Error('a route that cannot be read is not sent')
        return saveGatewayRoute(name, { route: written, revision: route?.revision ?? 0 })
      }}
      onSaved={() => props.onDone(name)}
      submitWords={text.save}
      onCancel={props.onCancel}
    >
      {route === undefined ? (
        <TextField
          label={words.value.common.name}
          {...form.typed('name')}
          maxLength={gatewayRouteNameCharactersMax}
          code
          hint={text.routeNameHint}
          error={form.wrong(!isRouteName(name) || isTaken, isTaken ? text.routeTaken : text.routeNameWrong, 'name')}
        />
      ) : null}
      {values.steps.map((_, index) => (
        <StepFields key={index} form={form} index={index} choices={props.choices} />
      ))}
      <p class="small faint">{text.stepsHint}</p>
      <div class="btns">
        <button
          class="btn"
          type="button"
          disabled={values.steps.length >= gatewayRouteStepsMax}
          onClick={() => form.set({ steps: [...values.steps, newStep(values.steps.length + 1)] })}
        >
          <Icon name="plus" />
          {text.addStep}
        </button>
      </div>
      <Ticks
        legend={text.goesOn}
        options={gatewayGoOnReasons.map((value) => ({ value, label: text.goesOnWhen[value] }))}
        value={values.goOn}
        onChoose={(goOn) => form.set({ goOn })}
      />
      <div class="two-f">
        <TextField
          label={text.firstTokenWithin}
          {...form.typed('seconds')}
          maxLength={digitsOf(gatewayFirstTokenSecondsMax)}
          number
          hint={text.firstTokenHint}
          error={form.wrong(isSecondsWrong, text.numberWrong, 'route.first_token_seconds')}
        />
        <Tick {...form.ticked('isSticky')}>{text.stickyWords}</Tick>
        <Tick {...form.ticked('isCheapestFirst')}>{text.cheapestFirst}</Tick>
      </div>
      <RouteTrial route={written} />
    </FormFrame>
  )
}
