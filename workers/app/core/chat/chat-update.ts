/** Somebody wrote, or pressed a button, in a chat of two. */
export interface ChatUpdate {
  readonly id: number
  readonly chat: string
  /** As the other one is called there; may be empty. */
  readonly name: string
  readonly text?: string
  readonly press?: { readonly id: string; readonly data: string; readonly messageId?: number }
}

/** What is sent to the platform, in order. */
export type ChatMessage =
  | { readonly kind: 'say'; readonly text: string; readonly buttons?: readonly (readonly ChatButton[])[] }
  /** To a press: shown for a moment. */
  | { readonly kind: 'answer'; readonly press: string; readonly text: string }
  /** What was pressed is over. */
  | { readonly kind: 'take_buttons'; readonly messageId: number }

interface ChatButton {
  readonly label: string
  /** By which it is known again; nothing else of it leaves. */
  readonly token: string
}

/** What a button does when it is pressed. */
export type ChatAction =
  | { readonly kind: 'push'; readonly site: string; readonly torrentId: string; readonly title: string }
  | {
      readonly kind: 'torrent'
      readonly action: 'pause' | 'resume'
      readonly downloaderId: number
      readonly taskId: string
      readonly title: string
    }
  | { readonly kind: 'brush'; readonly taskId: number; readonly on: boolean; readonly title: string }
  | { readonly kind: 'decide'; readonly confirmationId: string; readonly approve: boolean }
