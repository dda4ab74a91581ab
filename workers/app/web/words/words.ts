import { computed } from '@preact/signals'
import { language } from '../preferences.ts'
import { chinese } from './chinese.ts'
import { english } from './english.ts'

export const words = computed(() => (language.value === 'zh' ? chinese : english))
