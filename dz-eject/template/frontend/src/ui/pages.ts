import type { ComponentType } from "react";

/** The pages of an entity. */
export interface EntityPages {
  /** The segment of its address, in the API too. */
  table: string;
  title: string;
  List: ComponentType;
  Create: ComponentType;
  Detail: ComponentType<{ id: string }>;
  Edit: ComponentType<{ id: string }>;
}
