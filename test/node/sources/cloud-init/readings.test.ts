/** The pages of readings: cloud-init. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
