import type { Result } from '#shared/kernel/result.ts'
import type { SettingName, SettingValue } from '../contract/owner-settings.ts'
import type { OwnerLanguage } from '../core/vocabulary.ts'
import type { SecretsState } from './secrets.ts'

/** What the owner settled about one matter. Never its secret. */
export interface OwnerSetting<N extends SettingName> {
  readonly value: SettingValue<N>
  readonly hasSecret: boolean
  /** Grows with every change; 0 while it was never set. */
  readonly revision: number
}

/** Matters that the owner settles for the service as a whole. */
export interface OwnerSettings {
  read<N extends SettingName>(name: N): Promise<OwnerSetting<N>>
  /** Empty when there is none. */
  openSecret(name: SettingName): Promise<Result<string, Exclude<SecretsState, 'ready'>>>
  /** A secret that is left out stays; an empty one is removed. */
  write<N extends SettingName>(
    name: N,
    value: SettingValue<N>,
    secret?: string,
  ): Promise<Result<OwnerSetting<N>, 'secrets'>>
}

/** By which clock the owner's days begin and sign-ins happen, and in which language the service speaks to the owner. */
export interface OwnerLocale {
  /** A name of the IANA table. */
  readonly timeZone: string
  readonly language: OwnerLanguage
}

export interface OwnerLocaleReader {
  /** What the owner chose; where nothing was chosen, what the deployment says. Another one's change shows within seconds. */
  read(): Promise<OwnerLocale>
  /** The owner just chose something else. */
  forget(): void
}
