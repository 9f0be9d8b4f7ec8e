import type { CompanyData } from "@/lib/contracts/verification";

/** For tests. */
export const COMPANY: CompanyData = {
  legalName: "Acme GmbH",
  registrationNumber: "HRB 1234",
  vatId: undefined,
  street: "Hauptstraße 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  website: "https://acme.example",
  contactName: "Ann Example",
  contactEmail: "ann@acme.example",
  contactPhone: undefined,
  useCase: "Summaries of invoices.",
};
